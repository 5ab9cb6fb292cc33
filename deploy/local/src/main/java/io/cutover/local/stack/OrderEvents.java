package io.cutover.local.stack;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SplittableRandom;

/** Makes the payloads: the events of orders, each customer's counted so that order can be seen. */
final class OrderEvents {
  private static final String[] STATUS = {"PLACED", "PAID", "PACKED", "SHIPPED", "RETURNED"};
  private static final String[] CURRENCY = {"EUR", "USD", "GBP"};

  private final SplittableRandom random;
  private final String[] customers;
  private final int[] revisions;
  private long orders;

  OrderEvents(SplittableRandom random, int customers) {
    this.random = random;
    this.customers = new String[customers];
    this.revisions = new int[customers];
    for (int i = 0; i < customers; i++) {
      this.customers[i] = "customer-" + (10_000 + i);
    }
  }

  int customers() {
    return customers.length;
  }

  /** The partition key of a customer's events. */
  String key(int customer) {
    return customers[customer];
  }

  /** Some customers order far more than others. */
  int nextCustomer() {
    double uniform = random.nextDouble();
    return (int) (uniform * uniform * customers.length);
  }

  byte[] nextEvent(int customer, Instant at) {
    int cents = random.nextInt(100, 50_000);
    String json =
        "{\"order\":\"o-"
            + (100_000_000L + orders++)
            + "\",\"customer\":\""
            + customers[customer]
            + "\",\"revision\":"
            + ++revisions[customer]
            + ",\"status\":\""
            + STATUS[random.nextInt(STATUS.length)]
            + "\",\"amount\":\""
            + cents / 100
            + '.'
            + cents / 10 % 10
            + cents % 10
            + "\",\"currency\":\""
            + CURRENCY[random.nextInt(CURRENCY.length)]
            + "\",\"items\":"
            + random.nextInt(1, 9)
            + ",\"at\":\""
            + at
            + "\"}";
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
