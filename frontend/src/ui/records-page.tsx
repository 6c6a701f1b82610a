import { ActionIcon, Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { plural } from '../../../backend/platform/plural.api.js';
import { messageOf, ProblemError } from '../lib/problem.js';
import { AddLink } from './add-link.js';
import { Card, CardList } from './card.js';
import type { RecordForm } from './form.js';
import { Icon, type IconName } from './icon.js';
import { InfiniteList, type PagedQuery } from './infinite-list.js';
import { Notice } from './notice.js';
import { Page } from './page.js';
import { RestoreButton } from './restore-button.js';
import { Sheet, SheetActions } from './sheet.js';
import { StandingChoice } from './standing-choice.js';
import { Skeletons } from './states.js';
import { attempt, takenBack, toast, type ToastAction } from './toast.js';

interface Named {
  id: string;
  nome: string;
}

/** A kind of record with its requests: see `records` in lib. */
interface Records<Item, New, Changes> {
  one: string;
  many: string;
  address: string;
  inUse: string;
  texts: { created: string; updated: string; removed: string; notLoaded: string };
  inPart?: string;
  useList: (active: boolean) => PagedQuery<Item> & {
    data: { pages: readonly { total: number }[] } | undefined;
    isFetching: boolean;
  };
  useCreate: () => (body: New) => Promise<unknown>;
  /** Returns a text to be added to the toast of an edit that is not sent yet. */
  useChange: (item: Item) => (changes: Changes) => Promise<string | undefined>;
  useRemoval: (id: string) => (to: 'delete' | 'restore') => Promise<unknown>;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

interface RecordsPageProps<Item, New, Changes> {
  of: Records<Item, New, Changes>;
  icon: IconName;
  /** Height of a card, in pixels. */
  height: number;
  /** Shown if there are none. */
  empty: { title: string; action: string; text: string };
  card: (item: Item, onEdit: () => void) => ReactNode;
  form: (item: Item, props: RecordForm<Changes>) => ReactNode;
}

/** The list of one kind of record, active or inactive ones, with its edit form in a sheet, which `?editar=` opens. */
export function RecordsPage<Item extends Named, New, Changes extends object>(
  props: RecordsPageProps<Item, New, Changes>,
) {
  const { of: kind, icon, height, empty, card, form } = props;
  const { one, many, address, texts, inPart, useList, useChange } = kind;
  const [active, setActive] = useState(true);
  const [search, setSearch] = useSearchParams();
  const list = useList(active);
  const pages = list.data?.pages;
  const total = pages?.[0]?.total;
  const edited = pages?.flatMap(({ items }) => items).find(({ id }) => id === search.get('editar'));
  const edit = (id: string | null) => setSearch(id === null ? {} : { editar: id }, { replace: true });
  const standing = active ? 'cadastrado' : 'inativo';

  return (
    <Page
      title={capital(many)}
      back="/ajustes"
      subtitle={
        total === undefined
          ? list.isFetching && 'Carregando...'
          : plural(total, `${one} ${standing}`, `${many} ${standing}s`)
      }
      action={<AddLink to={`${address}/novo`} thing={one} />}
    >
      <StandingChoice onChoose={setActive} />
      <InfiniteList
        of={list}
        failure={texts.notLoaded}
        skeleton={<Skeletons count={3} height={height} layout="cards" />}
        empty={
          active ? (
            <NoneActive of={kind} icon={icon} empty={empty} />
          ) : (
            <Notice icon="archive" title={`Nenhum ${one} inativo`} />
          )
        }
      >
        {(items) => <CardList items={items}>{(item) => card(item, () => edit(item.id))}</CardList>}
      </InfiniteList>
      <Sheet
        opened={edited !== undefined}
        onClose={() => edit(null)}
        title={`Editar ${one}`}
        beginsAtField="typed"
      >
        {edited && (
          <EditForm
            key={edited.id}
            item={edited}
            one={one}
            texts={texts}
            inPart={inPart}
            useChange={useChange}
            onDone={() => edit(null)}
            form={form}
          />
        )}
      </Sheet>
    </Page>
  );
}

type NoneActiveProps<Item, New, Changes> = Pick<
  RecordsPageProps<Item, New, Changes>,
  'of' | 'icon' | 'empty'
>;

/** Leads to the first record, unless there are inactive ones. */
function NoneActive<Item, New, Changes>({ of: kind, icon, empty }: NoneActiveProps<Item, New, Changes>) {
  const { one, address, useList } = kind;
  const isFirst = (useList(false).data?.pages[0]?.total ?? 0) === 0;
  return (
    <Notice
      icon={icon}
      title={isFirst ? empty.title : `Nenhum ${one} ativo`}
      action={
        <Button component={Link} to={`${address}/novo`}>
          {isFirst ? empty.action : `Novo ${one}`}
        </Button>
      }
    >
      {isFirst && empty.text}
    </Notice>
  );
}

type EditFormProps<Item, New, Changes> = Pick<RecordsPageProps<Item, New, Changes>, 'form'> &
  Pick<Records<Item, New, Changes>, 'one' | 'texts' | 'useChange'> & {
    inPart: string | undefined;
    item: Item;
    onDone: () => void;
  };

function EditForm<Item, New, Changes extends object>({
  item,
  one,
  texts,
  inPart,
  useChange,
  onDone,
  form,
}: EditFormProps<Item, New, Changes>) {
  const change = useChange(item);
  const save = async (body: Changes) => {
    const description = await change(body);
    onDone();
    const before = Object.fromEntries(
      Object.keys(body).map((name) => [name, item[name as keyof Item] as unknown]),
    );
    // Not of an edit that waits for a network, nor of a list of which only what changed is sent.
    const isUndone = description === undefined && !(inPart && inPart in body);
    const back = { ...before, se_ainda: body } as unknown as Changes;
    toast.success(texts.updated, isUndone ? takenBack(() => change(back)) : { description });
  };
  return form(item, {
    submitLabel: 'Salvar',
    failure: `Erro ao atualizar ${one}`,
    save,
    Buttons: SheetActions,
  });
}

interface RecordActionsProps<Item, New, Changes> {
  of: Records<Item, New, Changes>;
  item: Item;
  onEdit: () => void;
}

/** The buttons of a card: edit, deactivate or reactivate, remove. The last two show a toast with "Desfazer". */
export function RecordActions<Item extends Named & { is_active: boolean }, New>({
  of: { one, inUse, texts, useChange, useRemoval },
  item,
  onEdit,
}: RecordActionsProps<Item, New, { is_active?: boolean | undefined }>) {
  const change = useChange(item);
  const removal = useRemoval(item.id);
  const [busy, setBusy] = useState(false);
  const thing = capital(one);
  const outcome = (is_active: boolean) => `${thing} ${is_active ? 'reativado' : 'inativado'}`;

  const set = async (is_active: boolean): Promise<string | boolean> => {
    let note: string | undefined;
    const work = async () => void (note = await change({ is_active }));
    return (await attempt(work, `Erro ao atualizar ${one}`)) && (note ?? true);
  };

  const setStanding = async (is_active: boolean) => {
    const done = await set(is_active);
    if (done === false) return;
    const gone = is_active ? undefined : `${item.nome} saiu da lista de ativos.`;
    toast.success(outcome(is_active), {
      description: typeof done === 'string' ? done : gone,
      undo: async () => (await set(!is_active)) !== false,
      undone: outcome(!is_active),
    });
  };

  const remove = async () => {
    try {
      await removal('delete');
      toast.success(
        texts.removed,
        takenBack(() => removal('restore'), 'Remoção desfeita'),
      );
    } catch (error) {
      const isUsed = error instanceof ProblemError && error.code === inUse;
      toast.error(`Erro ao remover ${one}`, {
        description: messageOf(error),
        ...(isUsed && { action: { label: 'Inativar', onClick: () => void setStanding(false) } }),
      });
    }
  };

  const run = (work: () => Promise<void>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };

  return (
    <>
      <Button size="sm" variant="default" onClick={onEdit} leftSection={<Icon name="edit" size={18} />}>
        Editar
      </Button>
      {item.is_active ? (
        <Button
          size="sm"
          variant="default"
          loading={busy}
          onClick={run(() => setStanding(false))}
          leftSection={<Icon name="archive" size={18} />}
        >
          Inativar
        </Button>
      ) : (
        <RestoreButton size="sm" variant="light" loading={busy} onClick={run(() => setStanding(true))} />
      )}
      <ActionIcon data-square aria-label={`Remover ${item.nome}`} loading={busy} onClick={run(remove)}>
        <Icon name="trash" size={18} />
      </ActionIcon>
    </>
  );
}

interface NewRecordPageProps<Item, New, Changes> {
  of: Records<Item, New, Changes>;
  /** The button of the toast: what to do next. */
  next?: (() => ToastAction | undefined) | undefined;
  form: (props: RecordForm<New>) => ReactNode;
}

/** The page that creates a record. */
export function NewRecordPage<Item, New, Changes>({
  of: { one, address, texts, useCreate },
  next,
  form,
}: NewRecordPageProps<Item, New, Changes>) {
  const navigate = useNavigate();
  const create = useCreate();
  const thing = capital(one);

  const save = async (body: New) => {
    await create(body);
    toast.success(texts.created, { action: next?.() });
    await navigate(address);
  };

  return (
    <Page title={`Novo ${thing}`} back={address} width="narrow">
      <Card>
        {form({
          submitLabel: `Cadastrar ${thing}`,
          failure: `Erro ao criar ${one}`,
          save,
          beside: (
            <Button component={Link} to={address} variant="default">
              Cancelar
            </Button>
          ),
        })}
      </Card>
    </Page>
  );
}
