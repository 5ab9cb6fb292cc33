#!/usr/bin/env bash
# Runs a job jar on a Flink of its own within one JVM, with the arguments it would get after
# `flink run`. The exit code is the job's own.
set -euo pipefail

usage() {
  cat <<'EOF'
Usage: deploy/local/run.sh [-p N] [-c CLASS] [-D KEY=VALUE]... JAR [ARGS...]

  -p N           parallelism (default: 2, or CUTOVER_PARALLELISM)
  -c CLASS       the main class, when the jar's manifest names none
  -s PATH        take up a checkpoint or savepoint, such as the last one of a run that was killed:
                 deploy/local/target/run/checkpoints/JOB-ID/chk-N
  -D KEY=VALUE   a Flink option, over deploy/local/flink/conf/config.yaml
  JAR ARGS...    the job and its own arguments

Environment: CUTOVER_LOG (log file, default deploy/local/target/run/job.log),
CUTOVER_HEAP (default 2g), JAVA_HOME.
EOF
}

fail() {
  echo "run.sh: $1" >&2
  exit 64
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
options=()
if [ -n "${CUTOVER_PARALLELISM:-}" ]; then
  options+=(-p "$CUTOVER_PARALLELISM")
fi

while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    -p | -c | -s | -D)
      [ $# -ge 2 ] || fail "$1 needs a value; see --help"
      if [ "$1" = -D ]; then options+=("-D$2"); else options+=("$1" "$2"); fi
      shift 2
      ;;
    -D?*)
      options+=("$1")
      shift
      ;;
    -*) fail "unknown option $1 before the jar; see --help" ;;
    *) break ;;
  esac
done
[ $# -ge 1 ] || fail "no job jar given; see --help"
[ -f "$1" ] || fail "there is no file $1; build it first, for instance with: mvn -q -B -Dquick package"

flink="$here/flink"
if [ ! -d "$flink/target/lib" ]; then
  echo "run.sh: gathering Flink, once" >&2
  mvn -q -B -Dquick -DskipTests -f "$root/pom.xml" -pl deploy/local/flink package >&2
fi

work="$here/target/run"
mkdir -p "$work"
tmp=$(mktemp -d "$work/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# What Flink's own scripts open for Java 17.
opens=()
for package in lang net io nio lang.reflect text time util util.concurrent \
  util.concurrent.atomic util.concurrent.locks; do
  opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done
opens+=(--add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-exports=java.base/sun.net.util=ALL-UNNAMED)

java=java
if [ -n "${JAVA_HOME:-}" ]; then
  java="$JAVA_HOME/bin/java"
fi

# In the background, so that a signal to this script reaches the job at once.
FLINK_CONF_DIR="$flink/conf" "$java" "-Xmx${CUTOVER_HEAP:-2g}" "${opens[@]}" \
  "-Djava.io.tmpdir=$tmp" \
  "-Dlog.file=${CUTOVER_LOG:-$work/job.log}" \
  "-Dlog4j2.configurationFile=$flink/conf/log4j2.properties" \
  -cp "$flink/target/lib/*" \
  org.apache.flink.client.cli.CliFrontend run -t local "-Dio.tmp.dirs=$tmp" \
  "-Dexecution.checkpointing.dir=file://$work/checkpoints" \
  -Dexecution.checkpointing.externalized-checkpoint-retention=RETAIN_ON_CANCELLATION \
  ${options[@]+"${options[@]}"} "$@" <&0 &
job=$!
arguments="$*"
stop() {
  kill -TERM "$job" 2>/dev/null || true
  echo "run.sh: stopped before the job's end, so what was under way is not complete." >&2
  last=$(ls -td "$work"/checkpoints/*/chk-* 2>/dev/null | head -1 || true)
  # Only the copy keeps checkpoints; a reconciliation begins anew.
  if [ -n "$last" ] && [[ " $arguments " == *" backfill "* ]]; then
    echo "run.sh: go on from its last checkpoint with: run.sh -s $last JAR ARGS..." >&2
  fi
}
trap stop TERM INT
code=0
wait "$job" || code=$?
# A wait that a signal cut short says nothing of the job.
while kill -0 "$job" 2>/dev/null; do
  code=0
  wait "$job" || code=$?
done
exit "$code"
