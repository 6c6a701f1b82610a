import type { ComponentType, ReactNode } from 'react';

/** A field that chooses one thing by its id. */
export interface ChoiceFieldProps {
  label: string;
  value?: string | null;
  onChange?: (id: string | null) => void;
  error?: ReactNode;
  /** By which the form finds it, to move there. */
  'data-path'?: string;
}

/** What one feature offers to another's form; a page of `app` puts them together. */
export type ChoiceField = ComponentType<ChoiceFieldProps>;
