import { plural } from '../../../../backend/platform/plural.api.js';
import { ActionIcon, Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useDebouncedCallback } from '@mantine/hooks';
import { lazy, startTransition, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { studentOrder, type StudentOrder } from '../../../../backend/modules/students/students.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { AddLink } from '../../ui/add-link.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { LongList } from '../../ui/long-list.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { Skeletons } from '../../ui/states.js';
import { factOf, type StudentParts, StudentRow } from './student-row.js';
import rowClasses from './student-row.module.css';
import classes from './students.module.css';
import { useStudents, useTags, type Standing } from './students.queries.js';

const SelectStudents = lazy(() => whenReachable(() => import('./select-students.js')));

const TYPING_PAUSE_MS = 250;

const standings: Record<Standing, string> = {
  ...{ ativos: 'Ativos', acabando: 'A renovar', sumidos: 'Sumidos', arquivados: 'Inativos' },
};
const orders: Record<StudentOrder, string> = {
  ...{ nome: 'Nome', saldo: 'Menor saldo', ultima: 'Última sessão', divida: 'Em aberto' },
};

/** Filter and order are in the address, so that who comes back finds them as they were. Names are not: addresses are kept in many places. */
function useLookedFor() {
  const [address, setAddress] = useSearchParams();
  const wanted = address.get('situacao');
  const isKnown = (named: string | null): named is Standing =>
    named !== null && Object.hasOwn(standings, named);
  const standing = isKnown(wanted) ? wanted : 'ativos';
  const order = studentOrder.safeParse(address.get('ordem')).data ?? 'nome';
  const look = (changes: Record<string, string>) =>
    startTransition(() =>
      setAddress(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true },
      ),
    );
  return { standing, order, tag: address.get('etiqueta'), look };
}

export function StudentsPage(parts: StudentParts) {
  const [q, setQ] = useState('');
  const { standing, order, tag, look } = useLookedFor();
  const students = useStudents({ q, standing, ordem: order, etiqueta: tag });
  const total = students.data?.pages[0]?.total;
  const [isSelecting, setSelecting] = useState(false);
  const fact = standing === 'sumidos' ? 'ultima' : factOf[order];

  return (
    <Page
      title="Alunos"
      subtitle={
        <span aria-live={q ? 'polite' : 'off'}>
          {total === undefined || (q && students.isPlaceholderData)
            ? students.fetchStatus === 'fetching' && 'Carregando...'
            : countOf(total, standing, q !== '' || tag !== null)}
        </span>
      }
      action={<AddLink to="/alunos/novo" thing="aluno" />}
    >
      <div className={classes.filters}>
        <div className={classes.search}>
          <SearchField onSearch={setQ} />
          <NativeSelect
            aria-label="Ordenar por"
            value={order}
            onChange={({ currentTarget: { value } }) => look({ ordem: value === 'nome' ? '' : value })}
            data={Object.entries(orders).map(([value, label]) => ({ value, label }))}
          />
        </div>
        <StandingField
          chosen={standing}
          onChoose={(next) => look({ situacao: next === 'ativos' ? '' : next })}
        />
        <TagField chosen={tag} onChoose={(next) => look({ etiqueta: next })} />
      </div>
      <InfiniteList
        of={students}
        failure="Erro ao carregar alunos"
        skeleton={<Skeletons count={8} height={64} />}
        empty={<NoStudents searching={q !== '' || tag !== null} standing={standing} />}
      >
        {(items) => (
          <>
            <Button
              size="compact-sm"
              h={44}
              variant="subtle"
              className={classes.select}
              onClick={() => startTransition(() => setSelecting(!isSelecting))}
            >
              {isSelecting ? 'Cancelar seleção' : 'Selecionar vários'}
            </Button>
            {isSelecting ? (
              <Suspense fallback={<Skeletons count={8} height={64} />}>
                <SelectStudents
                  key={standing}
                  listed={items}
                  total={total}
                  lookedFor={{ q, standing, ordem: order, etiqueta: tag }}
                  onDone={() => setSelecting(false)}
                />
              </Suspense>
            ) : (
              <LongList items={items} total={total} className={rowClasses.list}>
                {(student, place) => (
                  <StudentRow key={student.id} student={student} fact={fact} {...parts} {...place} />
                )}
              </LongList>
            )}
          </>
        )}
      </InfiniteList>
    </Page>
  );
}

/** Changes at once, the list once it is rendered. */
function StandingField({ chosen, onChoose }: { chosen: Standing; onChoose: (standing: Standing) => void }) {
  const [shown, setShown] = useState(chosen);
  return (
    <SegmentedControl
      aria-label="Situação"
      value={shown}
      onChange={(next) => {
        setShown(next as Standing);
        onChoose(next as Standing);
      }}
      data={Object.entries(standings).map(([value, label]) => ({ value, label }))}
    />
  );
}

/** Renders nothing while there are no tags. */
function TagField({ chosen, onChoose }: { chosen: string | null; onChoose: (tag: string) => void }) {
  const used = useTags().data?.items ?? [];
  const isUsed = used.some(({ etiqueta }) => etiqueta === chosen);
  if (used.length === 0 && chosen === null) return null;
  return (
    <NativeSelect
      aria-label="Etiqueta"
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(value)}
      data={[
        { value: '', label: 'Todas as etiquetas' },
        ...(chosen !== null && !isUsed ? [{ value: chosen, label: chosen }] : []),
        ...used.map(({ etiqueta, alunos }) => ({ value: etiqueta, label: `${etiqueta} (${alunos})` })),
      ]}
    />
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

function countOf(total: number, standing: Standing, isSearched: boolean): string {
  if (isSearched) return plural(total, 'resultado', 'resultados');
  if (standing === 'sumidos') return `${plural(total, 'aluno', 'alunos')} sem sessão há 3 semanas`;
  if (standing === 'acabando') return `${plural(total, 'aluno', 'alunos')} com o plano acabando`;
  return standing === 'ativos'
    ? plural(total, 'aluno cadastrado', 'alunos cadastrados')
    : plural(total, 'aluno inativo', 'alunos inativos');
}

function NoStudents({ searching, standing }: { searching: boolean; standing: Standing }) {
  if (searching) return <Notice icon="search" title="Nenhum resultado encontrado" />;
  if (standing === 'sumidos')
    return <Notice icon="check" title="Todos os alunos ativos vieram nas últimas 3 semanas" />;
  if (standing === 'acabando') return <Notice icon="check" title="Nenhum plano está acabando" />;
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
