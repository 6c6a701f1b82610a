import { expect, it, jest } from '@jest/globals';

const listeners = new Map<string, (told: never) => void>();
const socket = {
  active: true,
  on: (event: string, listener: (told: never) => void) => void listeners.set(event, listener),
  off: () => socket,
  disconnect: () => undefined,
};
jest.unstable_mockModule('socket.io-client', () => ({ io: () => socket }));
jest.unstable_mockModule('./auth.js', () => ({ accessToken: () => null, renewToken: () => null }));

it('a page of one student hears what concerns all students of the trainer or this one, not a sibling', async () => {
  const { listen } = await import('./live.js');
  const heard: string[] = [];
  const elsewhere: string[] = [];
  const stop = listen(
    { tenantId: 'studio', studentId: 'ana' },
    {
      onHint: ({ topic }) => void heard.push(topic),
      onHintElsewhere: ({ topic }) => void elsewhere.push(topic),
      onMissed: (topics) => void heard.push(...(topics ?? [])),
      onConnect: () => undefined,
      onDisconnect: () => undefined,
    },
  );
  const hints = [
    { tenantId: 'studio', topic: 'sessions', position: 1, studentId: 'ana' },
    { tenantId: 'studio', topic: 'credits', position: 1, studentId: 'beto' },
    { tenantId: 'studio', topic: 'locations', position: 1 },
    { tenantId: 'other', topic: 'charges', position: 1, studentId: 'ana' },
    { tenantId: null, topic: 'account', position: 0 },
  ];
  for (const hint of hints) listeners.get('hint')!(hint as never);
  expect(heard).toEqual(['sessions', 'locations', 'account']);
  expect(elsewhere).toEqual(['credits', 'charges']);
  listeners.get('missed')!(hints as never);
  expect(heard.slice(3)).toEqual(['sessions', 'locations', 'account']);
  stop();
});
