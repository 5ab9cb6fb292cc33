package io.cutover.local.kinesis;

import java.util.Set;

class EmulatorContractCborTest extends ContractSuite {
  @Override
  ContractServer start() {
    KinesisEmulator emulator = KinesisEmulator.start();
    return new ContractServer(emulator, emulator.endpoint(), WireFormat.CBOR, Set.of());
  }
}
