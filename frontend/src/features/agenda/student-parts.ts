import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { ChoicesField } from '../../ui/choice.js';
import type { Tell } from '../../ui/toast.js';

/** Parts of other features about a session's student for the agenda's sheets. */
export interface StudentParts {
  StudentsField: ChoicesField;
  /** The credit balance, with a link to the statement. */
  Balance: ComponentType<{ studentId: string }>;
  /** Opens WhatsApp with a prepared text; renders nothing without a number. */
  WhatsApp: ComponentType<{ studentId: string; text: (firstName: string) => string }>;
  /** The links that tell these students something. */
  useTell: () => (studentIds: readonly string[], text: (firstName: string) => string) => Promise<Tell[]>;
  /** The button that confirms a visitor's booking; without one, another. */
  ConfirmVisit: ComponentType<{ sessionId: string; otherwise: ReactNode }>;
  /** The button for the money that is owed for a session; without a debt, another. */
  SessionDue: ComponentType<{ session: Session; otherwise: ReactNode }>;
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
