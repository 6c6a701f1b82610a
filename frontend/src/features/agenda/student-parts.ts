import { createContext, useContext, type ComponentType } from 'react';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { ChoicesField } from '../../ui/choice.js';

/** Parts of other features about a session's student for the agenda's sheets. */
export interface StudentParts {
  StudentsField: ChoicesField;
  /** The credit balance, with a link to the statement. */
  Balance: ComponentType<{ studentId: string }>;
  /** Opens WhatsApp with a prepared text; renders nothing without a number. */
  WhatsApp: ComponentType<{ studentId: string; text: (firstName: string) => string }>;
  /** What happens to the charge of a session that is reopened or deleted; renders nothing without a charge. */
  SessionCharge: ComponentType<{ session: Pick<Session, 'id' | 'taxa'> }>;
}

const Parts = createContext<StudentParts | null>(null);

export const StudentPartsProvider = Parts.Provider;

export function useStudentParts(): StudentParts {
  const parts = useContext(Parts);
  if (!parts) throw new Error('outside of StudentPartsProvider');
  return parts;
}
