import { createContext, useContext, type ComponentType } from 'react';
import type { ChoicesField } from '../../ui/choice.js';

/** Parts of the students' feature for the agenda's sheets. */
export interface StudentParts {
  StudentsField: ChoicesField;
  /** The credit balance, with a link to the statement. */
  Balance: ComponentType<{ studentId: string }>;
  /** Opens WhatsApp with a prepared text; renders nothing without a number. */
  WhatsApp: ComponentType<{ studentId: string; text: (firstName: string) => string }>;
}

const Parts = createContext<StudentParts | null>(null);

export const StudentPartsProvider = Parts.Provider;

export function useStudentParts(): StudentParts {
  const parts = useContext(Parts);
  if (!parts) throw new Error('outside of StudentPartsProvider');
  return parts;
}
