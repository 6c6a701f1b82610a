import type { TestDatabase } from './database.js';
import { connect } from './database.js';

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/**
 * Number of table rows that a statement of the application reads, under row security of this tenant. Exact only if no node of
 * the query plan runs several times: before version 18, Postgres rounds the rows per loop.
 */
export async function rowsRead(
  database: TestDatabase,
  tenantId: string,
  text: string,
  values: unknown[],
): Promise<number> {
  const client = await connect(database.environment.DATABASE_URL);
  await client.query(`select set_config('app.tenant', $1, false)`, [tenantId]);
  // Postgres reads a small table whole, with the rows of other test files.
  await client.query('set enable_seqscan = off');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  await client.end();
  return met(rows[0]!['QUERY PLAN'][0].Plan);
}

function met({ Plans = [], ...node }: PlanNode): number {
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = /^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type'])
    ? each * node['Actual Loops']
    : 0;
  return Plans.reduce((sum, inner) => sum + met(inner), own);
}
