#!/usr/bin/env bash
# The whole way on one machine: a Kinesis stream with a week of history, a Kafka broker, and the job
# jars with the arguments that a cluster would get: pin, preflight, backfill, a look at the report, and
# the reconciliation.
set -euo pipefail

usage() {
  cat <<'EOF'
Usage: deploy/local/quickstart.sh [--records N] [--keep]

  --records N   user records of history to seed (default: 100000)
  --keep        leave broker and stream up, and say how to look around

Needs a JDK 17 and Maven. Its files are under deploy/local/target/quickstart/.
EOF
}

fail() {
  echo "quickstart.sh: $1" >&2
  exit "${2:-1}"
}

say() {
  printf '\n== %s\n' "$*"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work="$here/target/quickstart"
records=100000
keep=no
while [ $# -gt 0 ]; do
  case $1 in
    --records)
      [ $# -ge 2 ] || fail "--records needs a number" 64
      records=$2
      shift
      ;;
    --keep) keep=yes ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) fail "unknown argument $1; see --help" 64 ;;
  esac
  shift
done
case $records in
  '' | *[!0-9]*) fail "--records takes a whole number, not '$records'" 64 ;;
esac

jar="$root/job/target/cutover-job.jar"
reconcile_jar="$root/reconcile-job/target/cutover-reconcile-job.jar"
stale() {
  [ ! -f "$jar" ] || [ ! -f "$reconcile_jar" ] || [ ! -d "$here/target/lib" ] || [ ! -d "$here/flink/target/lib" ] ||
    [ -n "$(find "$root/pom.xml" "$root/job/pom.xml" "$root/job/src/main" "$root/reconcile-job/pom.xml" \
      "$root/reconcile-job/src/main" "$here/pom.xml" "$here/src/main" "$here/flink/pom.xml" \
      -newer "$reconcile_jar" -print -quit)" ]
}
if stale; then
  say "Building"
  mvn -q -B -Dstyle.color=never -Dquick -f "$root/pom.xml" package
fi

if [ -f "$work/stack.pid" ] && kill -0 "$(cat "$work/stack.pid")" 2>/dev/null; then
  fail "the stack of an earlier quickstart is still up; end it first with: kill $(cat "$work/stack.pid")"
fi
rm -rf "$work"
mkdir -p "$work"

say "Starting a Kafka broker and a Kinesis emulator, seeding $records user records"
stack_file="$work/stack.properties"
"$here/stack.sh" --out "$stack_file" --seed "$records" >"$work/stack.log" 2>&1 &
stack=$!
stop_stack() {
  kill "$stack" 2>/dev/null || true
  wait "$stack" 2>/dev/null || true
}
trap stop_stack EXIT
while [ ! -f "$stack_file" ]; do
  kill -0 "$stack" 2>/dev/null || {
    cat "$work/stack.log" >&2
    fail "the stack did not come up"
  }
  sleep 0.2
done
grep '^Seeded' "$work/stack.log"

value() {
  sed -n "s/^$1=//p" "$stack_file"
}
cat >"$work/cutover.yaml" <<EOF
cutover.dir: file://$work/cutover
pin.boundary: $(value pin.boundary)
kinesis.stream: $(value kinesis.stream)
kinesis.endpoint: $(value kinesis.endpoint)
aws.region: us-east-1
aws.credentials.provider: BASIC
aws.credentials.basic.accesskeyid: local
aws.credentials.basic.secretkey: local
kafka.bootstrap.servers: $(value kafka.bootstrap.servers)
kafka.topic: $(value kafka.topic)
kafka.client.properties: $root/conf/kafka-client.properties
# Nobody else reads this stream, so its limits need not be shared.
source.shard.get-records.max-calls-per-second: 100
source.shard.get-records.max-bytes-per-second: 1 gb
backfill.checkpoint-interval: 2 s
EOF

export AWS_EC2_METADATA_DISABLED=true
job() {
  CUTOVER_LOG="$work/$1.log" "$here/run.sh" -p 2 "$jar" "$@" --config "$work/cutover.yaml"
}

say "Pin: cutover-job.jar pin --config cutover.yaml"
job pin

say "Preflight: cutover-job.jar preflight --config cutover.yaml"
job preflight

say "Backfill: cutover-job.jar backfill --config cutover.yaml"
job backfill

say "The report's totals, and the first shard's ledger"
report="$work/cutover/backfill-report.json"
sed -n '/^  "totals"/,/^  }/p' "$report"
sed -n '/^  "shards"/,/^  }, {/p' "$report"

say "The witness: tallies per shard and window, $(($(wc -l <"$work/cutover/witness.jsonl") - 1)) of them"
head -2 "$work/cutover/witness.jsonl"

say "The topic, read back by a read_committed consumer"
"$here/peek.sh" --bootstrap-servers "$(value kafka.bootstrap.servers)" \
  --topic "$(value kafka.topic)" --records 1

say "Once more: nothing to do"
job backfill

say "Reconcile: cutover-reconcile-job.jar reconcile --config cutover.yaml"
CUTOVER_LOG="$work/reconcile.log" "$here/run.sh" -p 2 "$reconcile_jar" reconcile \
  --config "$work/cutover.yaml"

say "Files"
echo "configuration  $work/cutover.yaml"
echo "cutover.dir    $work/cutover: pin.json, backfill-report.json, witness.jsonl, verdict.json"
echo "verdict, page  $work/cutover/verdict.html"
echo "jobs' logs     $work/backfill.log, $work/reconcile.log"

if [ "$keep" = yes ]; then
  trap - EXIT
  echo "$stack" >"$work/stack.pid"
  cat <<EOF

The stack stays up as process $stack; end it with: kill $stack
Look around:
  $here/peek.sh --bootstrap-servers $(value kafka.bootstrap.servers) --records 20
  $here/run.sh $reconcile_jar reconcile --config $work/cutover.yaml   # once more
EOF
fi
