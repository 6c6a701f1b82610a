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

it('a field that older versions store in clear is read from each, and from none once the person is forgotten', () => {
  const tenantId = randomUUID();
  const keys = new Map([[tenantId, personalData.newKey()]]);
  const at = { tenantId, streamId: 'note:1', version: 1 };
  const stored = codec.encode({ type: 'Noted', data: { nota: 'Bia' } }, at, keys);
  expect(JSON.stringify(stored)).not.toContain('Bia');
  const row = (schema_version: number, data: FactRow['data']): FactRow => ({
    ...{ tenant_id: tenantId, stream_id: 'note:1', version: 1, type: 'Noted' },
    ...{ schema_version, data },
  });
  for (const each of [row(1, { nota: 'Bia' }), row(stored.schemaVersion, stored.data)]) {
    expect(codec.decodeData(each, keys)).toEqual({ nota: 'Bia' });
    expect(codec.decodeData(each, new Map())).toEqual({ nota: null });
  }
});
