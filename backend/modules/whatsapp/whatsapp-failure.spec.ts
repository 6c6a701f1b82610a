import { expect, it } from '@jest/globals';
import { WhatsAppFailure } from './whatsapp-failure.js';

it.each([
  [{ status: 429, code: 130429 }, 'later'],
  [{ status: 400, code: 131056 }, 'later'],
  [{ status: 500, code: 2 }, 'later'],
  [{ status: 503 }, 'later'],
  ...[132001, 132015, 132016].map((code) => [{ status: 400, code }, 'template'] as const),
  [{ status: 401, code: 190 }, 'connection'],
  [{ status: 400, code: 131026 }, 'message'],
] as const)('what follows from a refusal: %j, %s', (details, verdict) => {
  expect(new WhatsAppFailure('resposta', details).verdict).toBe(verdict);
});
