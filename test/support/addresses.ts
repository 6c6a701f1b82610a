import { randomInt } from 'node:crypto';

const FIRST_NETWORK = 0x8000;
let next = randomInt(FIRST_NETWORK);

/** An IP address in a /24 network that no other caller in the test file uses. */
export function anyAddress(): string {
  next = (next + 1) % FIRST_NETWORK;
  const network = FIRST_NETWORK + next;
  return `10.${network >> 8}.${network & 0xff}.${randomInt(1, 255)}`;
}
