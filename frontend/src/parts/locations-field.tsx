import { Checkbox, Input, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import type { ReactNode } from 'react';
import { useLocationChoices } from './location-choices.js';

interface LocationsFieldProps {
  /** Ids; null: all that are active. */
  value?: readonly string[] | null;
  onChange?: (ids: string[] | null) => void;
  error?: ReactNode;
  /** Path by which the form finds the field, to focus it. */
  'data-path'?: string;
  /** Says what is missing without any location. */
  none: string;
}

/** Chooses all active locations, or some of them. */
export function LocationsField({ value = null, onChange, error, none, ...props }: LocationsFieldProps) {
  const places = useLocationChoices().data?.items.filter(({ is_active }) => is_active) ?? [];
  return (
    <>
      <Switch
        label="Todos os locais ativos"
        checked={value === null}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked ? null : [])}
        {...props}
      />
      {value &&
        places.map(({ id, nome }) => (
          <Checkbox
            key={id}
            label={nome}
            checked={value.includes(id)}
            onChange={({ currentTarget }) =>
              onChange?.(currentTarget.checked ? [...value, id] : value.filter((each) => each !== id))
            }
          />
        ))}
      {error && <Input.Error>{error}</Input.Error>}
      {places.length === 0 && <Input.Description>{none}</Input.Description>}
    </>
  );
}
