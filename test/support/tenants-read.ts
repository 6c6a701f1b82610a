import { jest } from '@jest/globals';
import { Database } from '../../backend/platform/database/database.js';
import type { TestApp } from './app.js';

/** The tenants that statements with this text read during `work`. */
export async function tenantsReadBy(
  { nest }: TestApp,
  text: string,
  work: () => Promise<void>,
): Promise<Set<string>> {
  const read = jest.spyOn(nest.get(Database), 'read');
  await work();
  const calls = read.mock.calls.filter(([, { sql }]) => sql.includes(text));
  read.mockRestore();
  return new Set(calls.map(([tenantId]) => tenantId));
}
