import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { EventCodec } from './event-codec.js';
import type { PersonalData } from './personal-data.js';
import { StreamReader } from './stream-reader.js';

const retained = { person: 'ana', name: 'contracts', until: '2031-12-31' };
const needed = [{ id: 'kept', retained }];

/** A reader of a tenant with these keys, and a record of its requests: the streams, and the keys of each look-up. */
function readerOf(keys: Record<string, Buffer | null>) {
  const asked: unknown[][] = [];
  const query = (_text: string, values: unknown[]) => {
    const [, streams, , persons] = values as [string, string[], unknown, string[]];
    asked.push([streams, persons]);
    const known = persons.filter((person) => person in keys);
    const rows = known.map((person) => ({
      stream_id: person,
      type: null,
      data: null,
      wrapped_key: keys[person],
    }));
    return Promise.resolve(rows as never[]);
  };
  const codec = { keysOfAll: () => [] } as unknown as EventCodec;
  const personalData = {
    newKey: () => randomBytes(32),
    wrap: (key: Buffer) => key,
  } as unknown as PersonalData;
  return {
    asked,
    reader: new StreamReader({ query }, 'tenant', codec, personalData),
  };
}

describe('a key that was announced', () => {
  it('is read with the streams, and created if there is none', async () => {
    const { reader, asked } = readerOf({ ana: Buffer.from('own') });
    reader.expect(['kept']);
    await Promise.all([
      reader.read('request:1', ['ana'], undefined),
      reader.read('contract:1', [], undefined),
    ]);
    expect(await reader.provideKeys(needed)).toHaveLength(1);
    expect(asked).toEqual([
      [
        ['request:1', 'contract:1'],
        ['kept', 'ana'],
      ],
    ]);
  });

  it('is not created again if there is one, nor for a forgotten person', async () => {
    const known: Record<string, Buffer | null> = { ana: Buffer.from('own'), kept: Buffer.from('kept') };
    for (const keys of [known, { ana: null }]) {
      const { reader } = readerOf(keys);
      reader.expect(['kept']);
      await reader.read('request:1', ['ana'], undefined);
      expect(await reader.provideKeys(needed)).toEqual([]);
    }
  });

  it('is awaited if nothing else was read', async () => {
    const { reader, asked } = readerOf({ ana: Buffer.from('own'), kept: Buffer.from('kept') });
    reader.expect(['ana', 'kept']);
    expect(await reader.provideKeys(needed)).toEqual([]);
    expect(asked).toEqual([[[], ['ana', 'kept']]]);
  });
});
