import { stateProjection } from '../../platform/projections/projection.js';
import { studentAccess } from './student-access.js';

interface AccessRow {
  invite_id: string | null;
  expires_at: string | null;
  user_id: string | null;
  /** Whose account it is, where that is the student's payer. */
  payer_id: string | null;
  since: string | null;
  area_link_id: string | null;
  area_expires_at: string | null;
}

const noArea = { area_link_id: null, area_expires_at: null };
const nobody: AccessRow = {
  invite_id: null,
  expires_at: null,
  user_id: null,
  payer_id: null,
  since: null,
  ...noArea,
};

/** Students' invites, area links and accounts, under the student's id. */
export const studentAccesses = stateProjection(studentAccess, {
  name: 'student-access',
  version: 3,
  topic: 'access',
  table: 'student_access',
  evolve(row: AccessRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'StudentInvited': {
        const { invite_id, expires_at, payer_id } = data;
        return { ...(row ?? nobody), ...(payer_id === undefined && { invite_id, expires_at }) };
      }
      case 'InvitesCancelled':
        return {
          ...(row ?? nobody),
          ...(data.payer_id === undefined && { invite_id: null, expires_at: null }),
        };
      case 'InviteAccepted': {
        const { user_id, payer_id = null } = data;
        return { ...nobody, user_id, payer_id, since: event.recordedAt.toISOString() };
      }
      case 'AccessTakenOver': {
        const { user_id, payer_id = null, desde } = data;
        return { ...nobody, user_id, payer_id, since: desde };
      }
      case 'StudentAccessEnded':
        return nobody;
      case 'AreaLinkOpened': {
        const { link_id: area_link_id, expires_at: area_expires_at } = data;
        return { ...(row ?? nobody), area_link_id, area_expires_at };
      }
      case 'AreaLinkEnded':
        return { ...(row ?? nobody), ...noArea };
    }
  },
});
