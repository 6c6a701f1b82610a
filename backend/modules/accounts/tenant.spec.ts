import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideZone, tenant, type TenantEvent } from './tenant.js';

const opened: TenantEvent = {
  type: 'TenantOpened',
  data: { owner_user_id: 'u', timezone: 'America/Sao_Paulo' },
};

it('a former time zone comes back only while the one that replaced it stands', () => {
  const moved = given(tenant, opened, ...decideZone(given(tenant, opened), 'America/Manaus'));
  const back = ['America/Sao_Paulo', 'America/Manaus'] as const;
  expect(decideZone(moved, ...back)).toEqual([
    { type: 'TenantZoneChanged', data: { timezone: 'America/Sao_Paulo' } },
  ]);
  const movedOn = given(tenant, opened, { type: 'TenantZoneChanged', data: { timezone: 'America/Belem' } });
  expect(() => decideZone(movedOn, ...back)).toThrow(expect.objectContaining({ code: 'changed_since' }));
});
