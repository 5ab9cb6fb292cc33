#!/usr/bin/env bash
# Prints the copy's records per second beside a bare loop without Flink, in one run.
# usage: job/benchmark.sh [ROUNDS [SCALE]]     (default: 3 rounds, scale 1.0)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
mvn -q -B -pl deploy/local,job -Dnpm.skip=true -DskipTests test-compile \
  org.apache.maven.plugins:maven-dependency-plugin:build-classpath@benchmark
work=$root/job/target/benchmark
mkdir -p "$work"
# shellcheck disable=SC2086 # several JVM options
exec java ${CUTOVER_BENCHMARK_JVM:-} -Xmx4g -XX:+UseG1GC "-Djava.io.tmpdir=$work" \
  "-Dproject.build.directory=$root/job/target" \
  --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED \
  --add-opens=java.base/java.time=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED \
  -cp "job/target/test-classes:job/target/classes:$(cat job/target/benchmark.classpath)" \
  io.cutover.backfill.BackfillBenchmark "$@"
