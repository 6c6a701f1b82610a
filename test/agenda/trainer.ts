import type { Session, SessionOutcome } from '../../backend/modules/agenda/agenda.api.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import type { Client } from '../support/client.js';

/** A day of November 2026 in São Paulo, as the instants of its hours. */
export const on =
  (day: number) =>
  (hour: number, minutes = 0) =>
    new Date(Date.UTC(2026, 10, day, hour + 3, minutes)).toISOString();

export type Refusal = ProblemBody & { session_ids?: string[] };

/** The requests of a trainer about the agenda, over HTTP. */
export function agendaOf(api: Client) {
  const outcome = async (path: string, body?: object) => (await api.post<SessionOutcome>(path, body)).body;
  return {
    plan: async (fields: object = {}) =>
      (await api.post('/plans', { nome: 'Pacote 4', valor: 32_000, creditos: 4, ...fields })).body.id,
    location: async (nome = 'Parque') => (await api.post('/locations', { nome })).body.id,
    student: async (nome: string, plano_id: string | null = null) =>
      (await api.post('/students', { nome, telefone: '11943214321', plano_id })).body.id,
    renew: (student: string) => api.post(`/students/${student}/credits/renew`),
    balance: async (student: string) => (await api.get<Student>(`/students/${student}`)).body.creditos,
    book: async (booking: object) => (await api.post('/sessions', booking)).body.id,
    get: async (id: string) => (await api.get<Session>(`/sessions/${id}`)).body,
    patch: async (id: string, changes: object) =>
      (await api.patch<SessionOutcome>(`/sessions/${id}`, changes)).body,
    complete: (id: string, body?: object) => outcome(`/sessions/${id}/complete`, body),
    reopen: (id: string, body?: object) => outcome(`/sessions/${id}/reopen`, body),
    cancel: (id: string, body: object = { motivo: 'personal' }) => outcome(`/sessions/${id}/cancel`, body),
    restore: (id: string, body?: object) => outcome(`/sessions/${id}/restore`, body),
    remove: (id: string) => api.delete(`/sessions/${id}`),
    refused: async (status: number, method: string, path: string, body?: unknown) => {
      if (method === 'GET') return (await api.get<Refusal>(path, { status })).body;
      const answer = await api.request<Refusal>(method, `/api/v1${path}`, { body });
      if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}
