import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Config } from '../config/env.js';
import type { FeatureRegistry } from '../features.js';
import { EventCodec, type FactRow } from './event-codec.js';
import { PersonalData } from './personal-data.js';

interface Noted {
  nota: string;
}

const personalData = new PersonalData({ masterKey: randomBytes(32) } as Config);
const personal = {
  person: (_data: Noted, tenantId: string) => tenantId,
  fields: ['nota'] as const,
  since: 2,
};
const definition = { schemaVersion: 2, personal, upcasters: { 1: (data: object) => data } };
const all = { aggregates: [{ name: 'note', events: { Noted: definition } }] };
const codec = new EventCodec({ all } as unknown as FeatureRegistry, personalData);

interface Shared {
  dupla: { student_id: string; nota: string | null }[];
  antes: { nota?: string };
  motivos: string[];
  recibo: string;
}

const shared = {
  schemaVersion: 1,
  personal: [
    {
      person: ({ dupla }: Shared, _tenantId: string, [n]: readonly number[]) => dupla[n!]!.student_id,
      fields: ['dupla[].nota'] as const,
    },
    { person: (_data: Shared, tenantId: string) => tenantId, fields: ['antes.nota', 'motivos[]'] as const },
    {
      person: ({ dupla }: Shared) => dupla[0]!.student_id,
      fields: ['recibo'] as const,
      retention: { name: 'receipts', what: 'Recibos', why: 'Lei', until: () => '2031-12-31' },
    },
  ],
};
const sharedCodec = new EventCodec(
  { all: { aggregates: [{ name: 'note', events: { Shared: shared } }] } } as unknown as FeatureRegistry,
  personalData,
);

it('nested texts of several persons are encrypted with the key of each, and texts under legal retention with a separate key', () => {
  const [tenantId, ana, bia] = [randomUUID(), randomUUID(), randomUUID()];
  const data: Shared = {
    dupla: [
      { student_id: ana, nota: 'joelho' },
      { student_id: bia, nota: 'ombro' },
    ],
    antes: { nota: 'nada' },
    motivos: ['festa', 'viagem'],
    recibo: 'Ana pagou',
  };
  const references = sharedCodec.keysOf('Shared', data as never, tenantId);
  const retained = references.find((key) => key.retained)!;
  expect(references.map(({ id }) => id).sort()).toEqual([ana, bia, tenantId, retained.id].sort());
  expect(retained.retained).toEqual({ person: ana, name: 'receipts', until: '2031-12-31' });
  const keys = new Map(references.map(({ id }) => [id, personalData.newKey()]));
  const at = { tenantId, streamId: 'note:1', version: 1 };
  const before = structuredClone(data);
  const stored = sharedCodec.encode({ type: 'Shared', data }, at, keys);
  expect(data).toEqual(before);
  for (const text of ['joelho', 'ombro', 'nada', 'festa', 'viagem', 'Ana pagou'])
    expect(JSON.stringify(stored)).not.toContain(text);
  const row = (bytes: FactRow['data']): FactRow => ({
    tenant_id: tenantId,
    stream_id: 'note:1',
    version: 1,
    type: 'Shared',
    schema_version: 1,
    data: bytes,
  });
  expect(sharedCodec.decodeData(row(stored.data), keys)).toEqual(data);
  // Each ciphertext is bound to its field: Bia's note cannot be decrypted in the place of another text of hers.
  const moved = structuredClone(stored.data) as unknown as Shared;
  moved.dupla[0]!.nota = moved.dupla[1]!.nota;
  expect(() => sharedCodec.decodeData(row(moved as never), keys)).toThrow();

  keys.delete(ana);
  expect(sharedCodec.decodeData(row(stored.data), keys)).toEqual({
    ...data,
    dupla: [{ student_id: ana, nota: null }, data.dupla[1]],
  });
  keys.delete(retained.id);
  expect(sharedCodec.decodeData(row(stored.data), keys)).toMatchObject({
    recibo: null,
    motivos: data.motivos,
  });
});

it('a field that older versions store unencrypted is read from every version, and is null in all of them once the person is forgotten', () => {
  const tenantId = randomUUID();
  const keys = new Map([[tenantId, personalData.newKey()]]);
  const at = { tenantId, streamId: 'note:1', version: 1 };
  const stored = codec.encode({ type: 'Noted', data: { nota: 'Bia' } }, at, keys);
  expect(JSON.stringify(stored)).not.toContain('Bia');
  const row = (schema_version: number, data: FactRow['data']): FactRow => ({
    tenant_id: tenantId,
    stream_id: 'note:1',
    version: 1,
    type: 'Noted',
    schema_version,
    data,
  });
  for (const each of [row(1, { nota: 'Bia' }), row(stored.schemaVersion, stored.data)]) {
    expect(codec.decodeData(each, keys)).toEqual({ nota: 'Bia' });
    expect(codec.decodeData(each, new Map())).toEqual({ nota: null });
  }
});
