import { randomInt } from 'node:crypto';

const FIRST_NETWORK = 0x8000;
/** Of all files of this worker, because the shared application counts the requests of an address also over several files. */
const worker = globalThis as { rendeNetwork?: number };

/** An IP address in a /24 network that no other caller in this worker uses. */
export function anyAddress(): string {
  const next = ((worker.rendeNetwork ?? randomInt(FIRST_NETWORK)) + 1) % FIRST_NETWORK;
  worker.rendeNetwork = next;
  const network = FIRST_NETWORK + next;
  return `10.${network >> 8}.${network & 0xff}.${randomInt(1, 255)}`;
}
