import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { Client } from './client.js';

/** The texts of the history of a subject, such as `student:<id>`, the newest first. */
export const toldOf = async (api: Client, subject: string): Promise<string[]> =>
  (await api.get<HistoryPage>('/history', { query: { subject } })).body.items.map(({ texto }) => texto);
