import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';

/** The button that confirms a visitor's booking; without one, another. */
export interface ConfirmVisitProps {
  sessionId: string;
  otherwise: ReactNode;
  /** What the button says. */
  children: string;
}

export interface SessionDueProps {
  session: Session;
  /** Follows what the button says, in a group: " de Ana". */
  whose: string;
  /** Goes before the receipt of a paid session: the button of others who owe. */
  others: ReactNode;
  /** Shown where nothing is left to do about the money. */
  otherwise: ReactNode;
}

/** Parts of other features about a session's student for the agenda's sheets. */
export interface StudentParts {
  /** Whether the student was reminded of the session. */
  SessionReminder: ComponentType<{ sessionId: string }>;
  ConfirmVisit: ComponentType<ConfirmVisitProps>;
  /** Declines the visitor's booking of a session, with words for the visitor. */
  DeclineVisit: ComponentType<{ sessionId: string; onBack: () => void }>;
  /** The student's open request to change a session, with its answers; renders nothing without one. */
  SessionRequest: ComponentType<{ sessionId: string }>;
  /** Says that students have asked to change these sessions; renders nothing without a request. */
  RequestMark: ComponentType<{ sessionIds: readonly string[] }>;
  /** The button for the money that is owed for a session; without a debt, another. */
  SessionDue: ComponentType<SessionDueProps>;
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
