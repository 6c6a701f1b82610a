import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ChoicesFieldProps } from '../ui/choice.js';
import { Icon } from '../ui/icon.js';
import { Chosen, Search } from './student-field.js';
import classes from './student-field.module.css';

/** Chooses one or several students, each shown with their balance. */
export function StudentsField({ value, onChange, label, except = [], onNew, ...props }: ChoicesFieldProps) {
  const [searching, setSearching] = useState(false);
  const add = (id: string | null) => {
    setSearching(false);
    if (id !== null) onChange([...value, id]);
  };
  return (
    <div className={classes.several}>
      {value.map((id, index) => (
        <Chosen
          key={id}
          id={id}
          label={index === 0 ? label : `${label} ${index + 1}`}
          action={value.length === 1 ? 'Trocar' : 'Remover'}
          onChange={() => onChange(value.filter((other) => other !== id))}
          {...(index === 0 && { error: props.error })}
        />
      ))}
      {value.length === 0 || searching ? (
        <Search
          label={value.length === 0 ? label : 'Outro aluno'}
          onChange={add}
          except={[...value, ...except]}
          {...(onNew && { onNew })}
          {...(value.length === 0 && props)}
        />
      ) : (
        <Button
          variant="subtle"
          size="sm"
          className={classes.another}
          onClick={() => setSearching(true)}
          leftSection={<Icon name="plus" size={18} />}
        >
          Adicionar outro aluno
        </Button>
      )}
    </div>
  );
}
