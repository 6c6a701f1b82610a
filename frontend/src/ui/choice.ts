import type { ComponentType, ReactNode } from 'react';

/** A field that chooses one item by its id. */
export interface ChoiceFieldProps {
  label: string;
  value?: string | null;
  onChange?: (id: string | null) => void;
  error?: ReactNode;
  /** Registers an item that is missing, by the typed name. */
  onNew?: (nome: string) => void;
  /** Path by which the form finds the field, to focus it. */
  'data-path'?: string;
}

/** A field that chooses several items by their ids. */
export interface ChoicesFieldProps extends Omit<ChoiceFieldProps, 'value' | 'onChange'> {
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Items that cannot be chosen. */
  except?: readonly string[];
}

/** A form that registers something for another form and is shown instead of it. */
export interface QuickFormProps {
  /** The text that was searched for. */
  nome: string;
  onDone: (id: string) => void;
  onBack: () => void;
}

export type QuickForm = ComponentType<QuickFormProps>;
