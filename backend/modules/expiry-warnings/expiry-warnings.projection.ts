import { stateProjection } from '../../platform/projections/projection.js';
import { expiryWarning } from './expiry-warning.js';

interface WarningRow {
  student_id: string;
  expira_em: string;
  expires_at: string;
  por_email: boolean;
  preparado_em: string;
  enviado_em: string | null;
}

export const expiryWarnings = stateProjection(expiryWarning, {
  name: 'expiry-warnings',
  topic: 'expiry-warnings',
  table: 'expiry_warnings',
  evolve(row: WarningRow | undefined, event) {
    const { type, data } = event;
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
