#!/usr/bin/env bash
# Prints the reconciliation's records per second beside bare loops that only read, its peak memory at
# two sizes, and what it costs to name the records that differ, in one run.
# usage: reconcile-job/benchmark.sh [ROUNDS [SCALE]]     (default: 3 rounds, scale 1.0)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
mvn -q -B -pl deploy/local,job,reconcile-job -Dnpm.skip=true -DskipTests test-compile \
  org.apache.maven.plugins:maven-dependency-plugin:build-classpath@benchmark
work=$root/reconcile-job/target/benchmark
rm -rf "$work"
mkdir -p "$work"
# shellcheck disable=SC2086 # several JVM options
exec java ${CUTOVER_BENCHMARK_JVM:-} -Xmx4g -XX:+UseG1GC "-Djava.io.tmpdir=$work" \
  "-Dproject.build.directory=$root/reconcile-job/target" \
  --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED \
  --add-opens=java.base/java.time=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED \
  -cp "reconcile-job/target/test-classes:reconcile-job/target/classes:$(cat reconcile-job/target/benchmark.classpath)" \
  io.cutover.reconcile.ReconcileBenchmark "$@"
