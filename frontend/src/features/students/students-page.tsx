import { plural } from '../../../../backend/platform/plural.api.js';
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { lazy, startTransition, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { studentOrder, type StudentOrder } from '../../../../backend/modules/students/students.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { AddLink } from '../../ui/add-link.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { LongList } from '../../ui/long-list.js';
import { PageChoice } from '../../ui/page-choice.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { Skeletons } from '../../ui/states.js';
import { factOf, type StudentParts, StudentRow } from './student-row.js';
import rowClasses from './student-row.module.css';
import classes from './students.module.css';
import { useStudents, type Standing } from '../../parts/students.queries.js';
import { useTags } from './students.queries.js';

const SelectStudents = lazy(() => whenReachable(() => import('./select-students.js')));

const TYPING_PAUSE_MS = 250;

const standings: Record<Standing, string> = {
  ...{ ativos: 'Ativos', acabando: 'A renovar', sumidos: 'Sumidos', arquivados: 'Inativos' },
};
const standingChoices = Object.entries(standings).map(([value, label]) => ({
  value: value as Standing,
  label,
}));
const orders: Record<StudentOrder, string> = {
  ...{ nome: 'Nome', saldo: 'Menor saldo', ultima: 'Última sessão', divida: 'Valor vencido' },
};

/** Search, filter and order, kept in the address for "back" and a reload. */
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
        () => {
          // Reads the current address, which already has a choice that is not rendered yet.
          const next = new URLSearchParams(window.location.search);
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true },
      ),
    );
  return { q: address.get('busca') ?? '', standing, order, tag: address.get('etiqueta'), look };
}

export function StudentsPage(parts: StudentParts) {
  const { q, standing, order, tag, look } = useLookedFor();
  const students = useStudents({ q, standing, ordem: order, etiqueta: tag });
  const total = students.data?.pages[0]?.total;
  const [isSelecting, setSelecting] = useState(false);
  const fact = standing === 'sumidos' ? 'ultima' : factOf[order];

  return (
    <Page
      title="Alunos"
      subtitle={
        <>
          <span aria-live={q ? 'polite' : 'off'}>
            {total === undefined || (q && students.isPlaceholderData)
              ? students.fetchStatus === 'fetching' && 'Carregando...'
              : countOf(total, standing, q !== '' || tag !== null)}
          </span>
          <span className={classes.picked}>
            {[tag, order !== 'nome' && orders[order]].filter(Boolean).map((words) => ` · ${words}`)}
          </span>
        </>
      }
      action={<AddLink to="/alunos/novo" thing="aluno" />}
    >
      <div className={classes.filters}>
        <SearchField initial={q} onSearch={(busca) => look({ busca })} />
        <Picker
          label="Ordenar por"
          icon="sort"
          value={order}
          isPicked={order !== 'nome'}
          onPick={(value) => look({ ordem: value === 'nome' ? '' : value })}
          data={Object.entries(orders).map(([value, label]) => ({ value, label }))}
        />
        <TagField chosen={tag} onChoose={(next) => look({ etiqueta: next })} />
        <PageChoice
          aria-label="Situação"
          className={classes.standing}
          value={standing}
          onChange={(next) => look({ situacao: next === 'ativos' ? '' : next })}
          data={standingChoices}
        />
        {(isSelecting || Boolean(total)) && (
          <Button
            size="compact-sm"
            variant="subtle"
            className={classes.select}
            onClick={() => startTransition(() => setSelecting(!isSelecting))}
          >
            <Icon name={isSelecting ? 'close' : 'ticks'} className={classes.mark} />
            <span className={classes.words}>{isSelecting ? 'Cancelar seleção' : 'Selecionar vários'}</span>
          </Button>
        )}
      </div>
      <InfiniteList
        of={students}
        failure="Erro ao carregar alunos"
        skeleton={<Skeletons count={8} height={64} />}
        empty={<NoStudents searching={q !== '' || tag !== null} standing={standing} />}
      >
        {(items) =>
          isSelecting ? (
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
          )
        }
      </InfiniteList>
    </Page>
  );
}

interface PickerProps {
  label: string;
  icon: IconName;
  value: string;
  /** Whether the value differs from the default. */
  isPicked: boolean;
  onPick: (value: string) => void;
  data: { value: string; label: string }[];
}

/** A select; on the phone only an icon, to save room, with the choice shown under the title. */
function Picker({ label, icon, isPicked, onPick, ...field }: PickerProps) {
  return (
    <div className={classes.picker} data-picked={isPicked || undefined}>
      <Icon name={icon} className={classes.mark} />
      <NativeSelect
        aria-label={label}
        onChange={({ currentTarget: { value } }) => onPick(value)}
        {...field}
      />
    </div>
  );
}

/** The filter by tag; renders nothing without tags. */
function TagField({ chosen, onChoose }: { chosen: string | null; onChoose: (tag: string) => void }) {
  const used = useTags().data?.items ?? [];
  const isUsed = used.some(({ etiqueta }) => etiqueta === chosen);
  if (used.length === 0 && chosen === null) return null;
  return (
    <Picker
      label="Etiqueta"
      icon="tag"
      value={chosen ?? ''}
      isPicked={chosen !== null}
      onPick={onChoose}
      data={[
        { value: '', label: 'Todas as etiquetas' },
        ...(chosen !== null && !isUsed ? [{ value: chosen, label: chosen }] : []),
        ...used.map(({ etiqueta, alunos }) => ({ value: etiqueta, label: `${etiqueta} (${alunos})` })),
      ]}
    />
  );
}

/** The search field. Holds the typed text itself, so that the list is not rendered at each key. */
function SearchField({ initial, onSearch }: { initial: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(initial);
  const search = useDebouncedCallback(onSearch, TYPING_PAUSE_MS);
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
  if (standing === 'acabando') return `${plural(total, 'aluno', 'alunos')} a renovar`;
  return standing === 'ativos'
    ? plural(total, 'aluno cadastrado', 'alunos cadastrados')
    : plural(total, 'aluno inativo', 'alunos inativos');
}

function NoStudents({ searching, standing }: { searching: boolean; standing: Standing }) {
  if (searching) return <Notice icon="search" title="Nenhum resultado encontrado" />;
  if (standing === 'sumidos') return <Notice icon="check" title="Ninguém está há 3 semanas sem sessão" />;
  if (standing === 'acabando') return <Notice icon="check" title="Ninguém para renovar" />;
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
