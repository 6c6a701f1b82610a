import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Trainer } from '../../support/people.js';
import type { TestProcess } from '../../support/process.js';
import { connectSocket } from '../../support/socket.js';
import type { History } from './history.js';

/** Expects that these processes still run: none of them was ended by what happened. */
export function expectAlive(processes: readonly TestProcess[]): void {
  for (const each of processes) {
    let isAlive = true;
    try {
      process.kill(each.pid, 0);
    } catch {
      isAlive = false;
    }
    expect({ isAlive, said: isAlive ? '' : each.output() }).toEqual({ isAlive: true, said: '' });
  }
}

/** Waits until an open screen at this process hears of what the trainer does, however often that takes. */
export async function heardLive(api: TestProcess, trainer: Trainer, history: History): Promise<void> {
  const socket = await connectSocket(api, trainer);
  const heard = new Promise<boolean>((resolve) => socket.once('hint', () => resolve(true)));
  for (let isHeard = false; !isHeard;) {
    const command = history.command(trainer, 'POST', '/plans', { nome: 'Plano', valor: 100, creditos: 1 });
    await history.attempt(command, api.url);
    isHeard = await Promise.race([heard, delay(200, false)]);
  }
  socket.close();
}
