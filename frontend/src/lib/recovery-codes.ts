import { accessToken } from './auth.js';
import { NetworkError } from './problem.js';

interface Refused {
  code: string;
  status: number;
}

/**
 * Recovery codes, of which the auth client does not know.
 * @throws NetworkError, or as `refuse` makes it of a refusal
 */
export async function recoveryCodes<Answer>(
  method: 'GET' | 'POST',
  refuse: (refused: Refused) => Error,
): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${(await accessToken()) ?? ''}`,
    'X-Supabase-Api-Version': '2024-01-01',
  };
  const response = await fetch('/auth/v1/recovery-codes', { method, headers }).catch((error: unknown) => {
    throw new NetworkError(error);
  });
  const body: unknown = await response.json().catch(() => ({}));
  if (response.ok) return body as Answer;
  throw refuse({ code: (body as Partial<Refused>).code ?? '', status: response.status });
}
