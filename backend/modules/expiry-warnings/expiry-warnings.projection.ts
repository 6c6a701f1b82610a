import { rowProjection } from '../../platform/projections/projection.js';
import type { ExpiryWarningEvent } from './expiry-warning.js';

interface WarningRow {
  student_id: string;
  expira_em: string;
  expires_at: string;
  por_email: boolean;
  preparado_em: string;
  enviado_em: string | null;
}

export const expiryWarnings = rowProjection<WarningRow>({
  name: 'expiry-warnings',
  topic: 'expiry-warnings',
  table: 'expiry_warnings',
  events: [
    'ExpiryWarningPrepared',
    'ExpiryWarningSent',
    'ExpiryWarningUnsent',
  ] satisfies ExpiryWarningEvent['type'][],
  keys: ({ data }) => [data.warning_id as string],
  evolve(row, event) {
    const { type, data } = event as unknown as ExpiryWarningEvent;
    const at = event.recordedAt.toISOString();
    if (type === 'ExpiryWarningPrepared') {
      const { warning_id: _, ...prepared } = data;
      return { ...prepared, preparado_em: at, enviado_em: null };
    }
    if (!row) return null;
    switch (type) {
      case 'ExpiryWarningSent':
        return { ...row, enviado_em: at };
      case 'ExpiryWarningUnsent':
        return { ...row, enviado_em: null };
    }
  },
});
