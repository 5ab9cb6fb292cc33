package io.cutover.reconcile.reading;

import java.util.concurrent.TimeUnit;

/** The time that passes between calls. */
public interface Time {

  /** This machine's. */
  Time SYSTEM =
      new Time() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };

  /** Only differences mean anything. */
  long nanos();

  void sleep(long nanos) throws InterruptedException;
}
