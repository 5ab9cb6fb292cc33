// Writes KPL aggregates as aws-kinesis-agg encodes them, one JSON object a line:
//   {"blob": base64, "members": [{"key": text, "data": base64}, ...]}
// The same bytes on every run. To write the fixture anew: npm ci && npm run fixture
//
// Left out, because this encoder writes them wrongly or refuses them: explicit hash keys and keys
// that look like array indexes (it takes the order of its tables from Object.keys, which puts such
// keys first), and empty keys.
'use strict';

const { RecordAggregator } = require('aws-kinesis-agg');

const AGGREGATES = 30;
const KEYS = ['a', 'order-1', 'm\u00fcnchen', '\u6771\u4eac', '\ud83d\ude80', 'k'.repeat(256), ' ', '-7'];

// mulberry32: seeded, where Math.random is not.
let state = 20240229;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function below(bound) {
  return Math.floor(random() * bound);
}

function key() {
  return below(3) === 0 ? `user-${below(1000)}` : KEYS[below(KEYS.length)];
}

function payload() {
  const length = [0, 1, below(40), 127 + below(3)][below(4)];
  return Buffer.from(Array.from({ length }, () => below(256)));
}

for (let n = 0; n < AGGREGATES; n++) {
  // The last one has more members, and more distinct keys, than one varint byte can index.
  const last = n === AGGREGATES - 1;
  const members = Array.from({ length: last ? 300 : 1 + below(30) }, (_, i) => ({
    partitionKey: last ? `user-${i}` : key(),
    data: payload(),
  }));
  const aggregator = new RecordAggregator();
  members.forEach((member) => aggregator.addUserRecord(member));
  console.log(
    JSON.stringify({
      blob: aggregator.build().data.toString('base64'),
      members: members.map((m) => ({ key: m.partitionKey, data: m.data.toString('base64') })),
    }),
  );
}
