#!/usr/bin/env bash
# Runs a Kafka broker and a Kinesis emulator on this machine until it is stopped; see --help.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

built() {
  compgen -G "$here/target/cutover-local-*.jar" >/dev/null && [ -d "$here/target/lib" ]
}

if ! built; then
  echo "stack.sh: building, once" >&2
  mvn -q -B -Dquick -DskipTests -f "$root/pom.xml" -pl deploy/local package >&2
fi
mkdir -p "$here/target/tmp"

java=java
if [ -n "${JAVA_HOME:-}" ]; then
  java="$JAVA_HOME/bin/java"
fi

# The JVM takes the script's place: a signal to this process is a signal to the stack.
# CUTOVER_STACK_HEAP: the emulator holds its records in memory, some 0.3 GB for a million of them.
exec "$java" ${CUTOVER_STACK_HEAP:+"-Xmx$CUTOVER_STACK_HEAP"} \
  "-Djava.io.tmpdir=$here/target/tmp" \
  -Dlog4j2.configurationFile=classpath:io/cutover/local/stack/stack-log4j2.properties \
  -cp "$(compgen -G "$here/target/cutover-local-*.jar" | head -n 1):$here/target/lib/*" \
  io.cutover.local.stack.LocalStack "$@"
