package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** What every Kinesis server owes its readers, as unmodified SDK clients see it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContractSuite implements StreamContract, ShardContract, WriteContract, ReadContract {

  private ContractServer server;

  abstract ContractServer start();

  @Override
  public ContractServer server() {
    return server;
  }

  @BeforeAll
  void startServer() {
    server = start();
  }

  @AfterAll
  void stopServer() throws Exception {
    try (ContractServer ended = server) {
      assertThat(ended.unmet()).as("differences that no rule stands behind").isEmpty();
    }
  }
}
