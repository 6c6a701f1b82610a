import { Button, Input, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { startTransition, useId, useState } from 'react';
import type { ChoiceFieldProps } from '../ui/choice.js';
import { Icon } from '../ui/icon.js';
import { Initials } from '../ui/initials.js';
import { Tag } from '../ui/tag.js';
import { formatPhone } from '../../../backend/modules/students/phone-format.api.js';
import type { ListedStudent } from '../../../backend/modules/students/students.api.js';
import { searchable } from '../../../backend/platform/searchable.api.js';
import { CreditTag, creditsInWords } from './credit-tag.js';
import classes from './student-field.module.css';
import { useRecentStudents, useStudent, useStudentName, useStudents } from './students.queries.js';

/** Chooses a student from a list that typing filters; shows the chosen student's balance. */
export function StudentField({ value, except, standing, ...props }: SearchProps) {
  return value ? <Chosen id={value} {...props} /> : <Search except={except} standing={standing} {...props} />;
}

interface SearchProps extends ChoiceFieldProps {
  /** Students who cannot be chosen. */
  except?: readonly string[] | undefined;
  /** `todos`: also inactive ones. */
  standing?: 'ativos' | 'todos' | undefined;
}

type Offered = Pick<ListedStudent, 'id' | 'nome' | 'creditos'> & Partial<Pick<ListedStudent, 'arquivado'>>;

interface ChosenProps extends ChoiceFieldProps {
  id: string;
  action?: string;
}

export function Chosen({ id, label, onChange, error, action = 'Trocar' }: ChosenProps) {
  const { data } = useStudent(id);
  const nameOf = useStudentName();
  const nome = data?.nome ?? nameOf(id);
  const field = useId();
  return (
    <Input.Wrapper id={field} label={label} labelElement="div" error={error}>
      <div
        className={classes.chosen}
        role="group"
        aria-labelledby={`${field}-label`}
        aria-describedby={error ? `${field}-error` : undefined}
      >
        {nome && <Initials id={id} name={nome} />}
        <span className={classes.name}>
          {nome ?? 'Carregando...'}
          {data && <span className={classes.more}>{creditsInWords(data.creditos)}</span>}
        </span>
        <Button size="sm" variant="subtle" onClick={() => startTransition(() => onChange?.(null))}>
          {action}
        </Button>
      </div>
    </Input.Wrapper>
  );
}

/** The name of a chosen student. */
export function StudentName({ id }: { id: string }) {
  const nameOf = useStudentName();
  return useStudent(id).data?.nome ?? nameOf(id) ?? 'Carregando...';
}

const TYPING_PAUSE_MS = 200;

/** A list that typing filters: at first recent students, then all. */
export function Search({ onChange, onNew, except = [], standing = 'ativos', ...field }: SearchProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const { data, isPending, isPlaceholderData, fetchStatus } = useStudents({ q, standing });
  const { data: recent = [] } = useRecentStudents();
  const found = (data?.pages[0]?.items ?? []).filter(({ esquecido }) => !esquecido);
  const first = q === '' ? recent : [];
  const others = found.filter(({ id }) => first.every((student) => student.id !== id));
  const students: Offered[] = [...first, ...others].filter(({ id }) => !except.includes(id));
  const names = students.map(({ nome }) => searchable(nome));
  /** Tells namesakes apart; null for others, and for whom only the recent ones name. */
  const phoneOf = ({ id }: Offered, nth: number) => {
    if (names.indexOf(names[nth]!) === names.lastIndexOf(names[nth]!)) return null;
    const known = found.find((student) => student.id === id);
    const phone = known?.whatsapp ?? known?.telefone;
    return phone ? formatPhone(phone) : null;
  };
  const isKnown = found.some(({ nome }) => searchable(nome) === searchable(q));
  const offersNew = onNew && q.length > 1 && q === typed.trim() && !isPlaceholderData && !isKnown;

  return (
    <div>
      <TextInput
        {...field}
        placeholder="Buscar aluno"
        autoComplete="off"
        leftSection={<Icon name="search" size={18} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes.list} aria-label="Alunos">
        {students.map((student, nth) => {
          const { id, nome, creditos, arquivado } = student;
          const phone = phoneOf(student, nth);
          return (
            <li key={id}>
              <button
                type="button"
                className={classes.option}
                onClick={() => startTransition(() => onChange?.(id))}
              >
                <Initials id={id} name={nome} />
                <span className={classes.name}>
                  {nome}
                  {phone && <span className={classes.more}>{phone}</span>}
                </span>
                {arquivado ? <Tag icon="archive">Inativo</Tag> : <CreditTag credits={creditos} />}
              </button>
            </li>
          );
        })}
        {!isPending && students.length === 0 && (
          <li className={classes.none}>
            {q
              ? 'Nenhum resultado encontrado'
              : 'Nenhum aluno ainda. Digite o nome para cadastrar o primeiro.'}
          </li>
        )}
        {offersNew && fetchStatus !== 'paused' && (
          <li>
            <button type="button" className={classes.option} onClick={() => onNew(q)}>
              <Icon name="plus" />
              <span className={classes.name}>Cadastrar “{q}”</span>
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
