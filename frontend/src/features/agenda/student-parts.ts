import { createContext, useContext, type ComponentType } from 'react';
import type { ChoicesField } from '../../ui/choice.js';

/** What the students' feature gives to the sheets here. */
export interface StudentParts {
  StudentsField: ChoicesField;
  /** The balance of credits, which leads to the statement. */
  Balance: ComponentType<{ studentId: string }>;
  /** Opens WhatsApp with a text that is ready to be sent. Nothing where there is no number. */
  WhatsApp: ComponentType<{ studentId: string; text: (firstName: string) => string }>;
}

const Parts = createContext<StudentParts | null>(null);

export const StudentPartsProvider = Parts.Provider;

export function useStudentParts(): StudentParts {
  const parts = useContext(Parts);
  if (!parts) throw new Error('outside of StudentPartsProvider');
  return parts;
}
