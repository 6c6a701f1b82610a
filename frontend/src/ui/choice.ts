import type { ComponentType, ReactNode } from 'react';

/** A field that chooses one thing by its id. */
export interface ChoiceFieldProps {
  label: string;
  value?: string | null;
  onChange?: (id: string | null) => void;
  error?: ReactNode;
  /** Registers one that is not there, by the name that was typed. */
  onNew?: (nome: string) => void;
  /** By which the form finds it, to move there. */
  'data-path'?: string;
}

/** A field that chooses several things by their ids. */
export interface ChoicesFieldProps extends Omit<ChoiceFieldProps, 'value' | 'onChange'> {
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Those that cannot be chosen. */
  except?: readonly string[];
}

export type ChoicesField = ComponentType<ChoicesFieldProps>;

/** What one feature offers to another's form; a page of `app` connects them. */
export type ChoiceField = ComponentType<ChoiceFieldProps>;

/** A form that registers something for another form and is shown instead of it. */
export interface QuickFormProps {
  /** The text that was searched for. */
  nome: string;
  onDone: (id: string) => void;
  onBack: () => void;
}

export type QuickForm = ComponentType<QuickFormProps>;
