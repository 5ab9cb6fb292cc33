package io.cutover.local.kinesis;

import java.util.EnumSet;

class KinesisLocalContractJsonITCase extends ContractSuite {
  @Override
  ContractServer start() {
    KinesisLocal local = KinesisLocal.start();
    return new ContractServer(
        local, local.endpoint(), WireFormat.JSON, EnumSet.allOf(KnownDifference.class));
  }
}
