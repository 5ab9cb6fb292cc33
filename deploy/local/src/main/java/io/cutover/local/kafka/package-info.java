/** A real Kafka broker on this machine, and what a test or the local stack does with it. */
package io.cutover.local.kafka;
