package io.cutover.local.kinesis;

import java.util.EnumSet;

class KinesisLocalContractCborITCase extends ContractSuite {
  @Override
  ContractServer start() {
    KinesisLocal local = KinesisLocal.start();
    return new ContractServer(
        local, local.endpoint(), WireFormat.CBOR, EnumSet.allOf(KnownDifference.class));
  }
}
