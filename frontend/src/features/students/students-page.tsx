import { plural } from '../../../../backend/platform/plural.api.js';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { startTransition, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { AddLink } from '../../ui/add-link.js';
import { CardList } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { StandingChoice } from '../../ui/standing-choice.js';
import { Skeletons } from '../../ui/states.js';
import { StudentCard } from './student-card.js';
import classes from './students.module.css';
import { useStudents, type Standing } from './students.queries.js';

const TYPING_PAUSE_MS = 250;

interface StudentsPageProps {
  /** The button that renews a student's credits; composed by the page, since credits are another feature. */
  renew: (student: Student) => ReactNode;
  /** Credits that are still to be sent. */
  pending: (studentId: string) => ReactNode;
}

export function StudentsPage({ renew, pending }: StudentsPageProps) {
  const [q, setQ] = useState('');
  const [standing, setStanding] = useState<Standing>('ativos');
  const students = useStudents(q, standing);
  const total = students.data?.pages[0]?.total;

  return (
    <Page
      title="Alunos"
      subtitle={
        <span aria-live={q ? 'polite' : 'off'}>
          {total === undefined || (q && students.isPlaceholderData)
            ? students.fetchStatus === 'fetching' && 'Carregando...'
            : countOf(total, standing, q)}
        </span>
      }
      action={<AddLink to="/alunos/novo" thing="aluno" />}
    >
      <div className={classes.filters}>
        <SearchField onSearch={setQ} />
        <StandingChoice onChoose={(active) => setStanding(active ? 'ativos' : 'arquivados')} />
      </div>
      <InfiniteList
        of={students}
        failure="Erro ao carregar alunos"
        skeleton={<Skeletons count={4} height={148} layout="cards" />}
        empty={<NoStudents searching={q !== ''} standing={standing} />}
      >
        {(items) => (
          <CardList items={items}>
            {(student) => <StudentCard student={student} renew={renew} pending={pending} />}
          </CardList>
        )}
      </InfiniteList>
    </Page>
  );
}

/** Holds the typed text itself, so that the list is rendered for each search and not for each key. */
function SearchField({ onSearch }: { onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState('');
  const search = useDebouncedCallback((q: string) => startTransition(() => onSearch(q)), TYPING_PAUSE_MS);
  const change = (value: string) => {
    setTyped(value);
    search(value.trim());
  };
  return (
    <TextInput
      aria-label="Buscar aluno"
      placeholder="Buscar por nome ou telefone"
      leftSection={<Icon name="search" size={18} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={
        typed && (
          <ActionIcon aria-label="Limpar busca" onClick={() => change('')}>
            <Icon name="close" size={18} />
          </ActionIcon>
        )
      }
    />
  );
}

function countOf(total: number, standing: Standing, q: string): string {
  if (q) return plural(total, 'resultado', 'resultados');
  return standing === 'ativos'
    ? plural(total, 'aluno cadastrado', 'alunos cadastrados')
    : plural(total, 'aluno inativo', 'alunos inativos');
}

function NoStudents({ searching, standing }: { searching: boolean; standing: Standing }) {
  if (searching) return <Notice icon="search" title="Nenhum resultado encontrado" />;
  if (standing === 'arquivados') return <Notice icon="archive" title="Nenhum aluno inativo" />;
  return (
    <Notice
      icon="people"
      title="Seus alunos vão aparecer aqui"
      action={
        <>
          <Button component={Link} to="/alunos/novo">
            Cadastrar o primeiro aluno
          </Button>
          <Button component={Link} to="/alunos/importar" variant="default">
            Importar de uma planilha
          </Button>
        </>
      }
    >
      Com plano, saldo de créditos e tudo o que aconteceu com cada um.
    </Notice>
  );
}
