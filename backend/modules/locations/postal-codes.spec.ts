import { expect, it } from '@jest/globals';
import type { Config } from '../../platform/config/env.js';
import type { Database } from '../../platform/database/database.js';
import { PostalCodeProviders } from './postal-code-providers.service.js';
import { stateZones } from './postal-codes.api.js';
import { PostalCodes } from './postal-codes.service.js';

const zones = {
  'America/Sao_Paulo': 'SP RJ MG ES PR SC RS GO DF',
  'America/Bahia': 'BA',
  'America/Maceio': 'AL SE',
  'America/Recife': 'PE',
  'America/Fortaleza': 'PB RN CE PI MA',
  'America/Araguaina': 'TO',
  'America/Belem': 'AP PA',
  'America/Cuiaba': 'MT',
  'America/Campo_Grande': 'MS',
  'America/Porto_Velho': 'RO',
  'America/Boa_Vista': 'RR',
  'America/Manaus': 'AM',
  'America/Rio_Branco': 'AC',
};
const official = Object.entries(zones).flatMap(([zone, states]) =>
  states.split(' ').map((state) => [state, zone] as const),
);

it('has a time zone for every state', () => {
  const at = new Date('2030-07-01T12:00:00Z');
  const time = (timeZone: string) => at.toLocaleTimeString('pt-BR', { timeZone });
  expect(Object.keys(stateZones).sort()).toEqual(official.map(([state]) => state).sort());
  for (const [state, zone] of official)
    expect([state, time(stateZones[state as keyof typeof stateZones])]).toEqual([state, time(zone)]);
});

it('sends no request where no provider is configured', async () => {
  const providers = new PostalCodeProviders({ viaCepUrl: null, brasilApiUrl: null } as Config);
  const database = { query: () => Promise.resolve([]) } as unknown as Database;
  await expect(new PostalCodes(providers, database).find('01001000')).rejects.toMatchObject({
    code: 'postal_codes.switched_off',
  });
});
