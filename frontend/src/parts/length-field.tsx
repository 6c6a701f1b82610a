import { Input, NativeSelect, type NativeSelectProps } from '@mantine/core';
import { Link } from 'react-router-dom';
import { choiceOf, minutesInWords } from '../lib/choices.js';
import classes from './length-field.module.css';
import { useServiceChoices } from './service-choices.js';

interface LengthFieldProps extends Omit<NativeSelectProps, 'data' | 'label'> {
  saved: number;
  /** Who books: where services are offered to them, each has a length of its own. */
  by: 'na_pagina' | 'para_alunos';
}

const LABEL = 'Duração da sessão';

/** Chooses the length of what is booked without a service. */
export function LengthField({ saved, by, ...props }: LengthFieldProps) {
  const services = useServiceChoices().data?.items ?? [];
  if (services.some((service) => service[by]))
    return (
      <Input.Wrapper label={LABEL} labelElement="div">
        <Link to="/ajustes/servicos" className={classes.link}>
          A de cada serviço
        </Link>
      </Input.Wrapper>
    );
  return (
    <NativeSelect
      label={LABEL}
      data={choiceOf([30, 45, 60, 75, 90, 120], saved, minutesInWords)}
      {...props}
    />
  );
}
