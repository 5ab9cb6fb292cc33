#!/usr/bin/env bash
# Counts the committed records of a topic and shows some of them; see --help.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

if ! compgen -G "$here/target/cutover-local-*.jar" >/dev/null || [ ! -d "$here/target/lib" ]; then
  echo "peek.sh: building, once" >&2
  mvn -q -B -Dquick -DskipTests -f "$root/pom.xml" -pl deploy/local package >&2
fi

java=java
if [ -n "${JAVA_HOME:-}" ]; then
  java="$JAVA_HOME/bin/java"
fi

exec "$java" \
  -Dlog4j2.configurationFile=classpath:io/cutover/local/stack/stack-log4j2.properties \
  -cp "$(compgen -G "$here/target/cutover-local-*.jar" | head -n 1):$here/target/lib/*" \
  io.cutover.local.stack.TopicPeek "$@"
