import { plural } from '../../../../backend/platform/plural.api.js';
import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useDebouncedCallback } from '@mantine/hooks';
import { lazy, startTransition, Suspense, useOptimistic, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { studentOrder, type StudentOrder } from '../../../../backend/modules/students/students.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { AddLink } from '../../ui/add-link.js';
import { ChoiceChip } from '../../ui/choice-chip.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { LongList } from '../../ui/long-list.js';
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
  ativos: 'Ativos',
  acabando: 'A renovar',
  sumidos: 'Sumindo',
  arquivados: 'Inativos',
};
const orders: Record<StudentOrder, string> = {
  nome: 'Nome',
  saldo: 'Menor saldo',
  ultima: 'Última sessão',
  divida: 'Valor vencido',
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
      bar
      title="Alunos"
      subtitle={
        <>
          <span aria-live={q ? 'polite' : 'off'}>
            {total === undefined || (q && students.isPlaceholderData)
              ? students.fetchStatus === 'fetching' && 'Carregando...'
              : countOf(total, standing, q !== '' || tag !== null)}
          </span>
          {order !== 'nome' && ` · ${orders[order]}`}
        </>
      }
      action={
        <>
          <SearchField initial={q} onSearch={(busca) => look({ busca })} />
          {isSelecting ? (
            <Button
              size="sm"
              variant="subtle"
              aria-label="Cancelar seleção"
              onClick={() => startTransition(() => setSelecting(false))}
            >
              Cancelar
            </Button>
          ) : (
            <>
              <AddLink to="/alunos/novo" thing="aluno" />
              <ListMenu
                order={order}
                onOrder={(value) => look({ ordem: value === 'nome' ? '' : value })}
                onSelect={total ? () => startTransition(() => setSelecting(true)) : undefined}
              />
            </>
          )}
        </>
      }
    >
      <Filters standing={standing} tag={tag} look={look} />
      {q && total !== undefined && !students.isPlaceholderData && (
        // The open search field covers the one beside it, which a screen reader is told.
        <p className={classes.found} aria-hidden>
          {countOf(total, standing, true)}
        </p>
      )}
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

interface FiltersProps {
  standing: Standing;
  tag: string | null;
  look: (changes: Record<string, string>) => void;
}

/** Which students are listed: by status, and by tag if there are any. The choice is marked before the list is rendered. */
function Filters({ look, ...chosen }: FiltersProps) {
  const used = useTags().data?.items.map(({ etiqueta }) => etiqueta) ?? [];
  const [{ standing, tag }, mark] = useOptimistic(chosen);
  const choose = (next: Partial<typeof chosen>, address: Record<string, string>) =>
    startTransition(() => {
      mark({ standing, tag, ...next });
      look(address);
    });
  return (
    <div className={classes.filters} role="group" aria-label="Situação e etiquetas" data-on-screen>
      {Object.entries(standings).map(([value, label]) => (
        <ChoiceChip
          key={value}
          aria-pressed={value === standing}
          onClick={() =>
            choose({ standing: value as Standing }, { situacao: value === 'ativos' ? '' : value })
          }
        >
          {label}
        </ChoiceChip>
      ))}
      {(tag === null || used.includes(tag) ? used : [tag, ...used]).map((each) => (
        <ChoiceChip
          key={each}
          aria-pressed={each === tag}
          onClick={() => choose({ tag: each === tag ? null : each }, { etiqueta: each === tag ? '' : each })}
        >
          <Icon name="tag" size={16} /> {each}
        </ChoiceChip>
      ))}
    </div>
  );
}

interface ListMenuProps {
  order: StudentOrder;
  onOrder: (order: string) => void;
  /** Undefined if no student is listed. */
  onSelect: (() => void) | undefined;
}

/** The order of the list, and what is done with several students. */
function ListMenu({ order, onOrder, onSelect }: ListMenuProps) {
  const [address] = useSearchParams();
  const searching = new URLSearchParams(address);
  searching.set('buscar', '');
  return (
    <Menu position="bottom-end" radius="md" shadow="md">
      <Menu.Target>
        <ActionIcon aria-label="Mais opções">
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Ordenar por</Menu.Label>
        <Menu.RadioGroup value={order} onChange={onOrder}>
          {Object.entries(orders).map(([value, label]) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {onSelect && (
          <Menu.Item leftSection={<Icon name="ticks" size={18} />} onClick={onSelect}>
            Selecionar vários
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to={`?${searching.toString()}`}
          leftSection={<Icon name="search" size={18} />}
        >
          Buscar em tudo
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * The search field; on the phone only its icon until it is used, then over the whole bar. Holds the typed text itself, so that the
 * list is not rendered at each key.
 */
function SearchField({ initial, onSearch }: { initial: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(initial);
  const search = useDebouncedCallback(onSearch, TYPING_PAUSE_MS);
  const change = (value: string) => {
    setTyped(value);
    search(value.trim());
  };
  return (
    <TextInput
      className={classes.search}
      wrapperProps={{ 'data-on-screen': true, 'data-typed': typed !== '' || undefined }}
      aria-label="Buscar aluno"
      placeholder="Buscar por nome ou telefone"
      leftSection={<Icon name="search" size={18} />}
      leftSectionPointerEvents="none"
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
  if (standing === 'sumidos') return `${plural(total, 'aluno vem', 'alunos vêm')} menos`;
  if (standing === 'acabando') return `${plural(total, 'aluno', 'alunos')} a renovar`;
  return standing === 'ativos'
    ? plural(total, 'aluno cadastrado', 'alunos cadastrados')
    : plural(total, 'aluno inativo', 'alunos inativos');
}

function NoStudents({ searching, standing }: { searching: boolean; standing: Standing }) {
  if (searching) return <Notice icon="search" title="Nenhum resultado encontrado" />;
  if (standing === 'sumidos') return <Notice icon="check" title="Ninguém está sumindo" />;
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
