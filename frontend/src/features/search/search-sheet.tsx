import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { dayOf, formatDay, formatMoment, formatTime } from '../../lib/dates.js';
import { messageOf } from '../../lib/problem.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Initials } from '../../ui/initials.js';
import { Notice } from '../../ui/notice.js';
import { Palette, type PaletteItem } from '../../ui/palette.js';
import { Sheet } from '../../ui/sheet.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { openWhatsApp } from '../../ui/open-whatsapp.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';

const SEARCH = reads('search', ['students', 'sessions', 'tasks']);

/** The server requires at least two letters. */
const SHORTEST = 2;

function useSearch(q: string) {
  return useQuery({
    queryKey: [SEARCH, q],
    queryFn: ({ signal }) => read('GET /search', { query: { q }, signal }),
    enabled: q.length >= SHORTEST,
    placeholderData: keepPreviousData,
  });
}

export interface Destination {
  to: string;
  label: string;
  icon: IconName;
}

interface SearchSheetProps {
  opened: boolean;
  onClose: () => void;
  /** Returns the text that was typed before the field appeared. */
  takeEarly: () => string;
  /** Only sessions and tasks. */
  inAgenda: boolean;
  pages: readonly Destination[];
  actions: readonly Destination[];
}

/** The search over students, sessions, tasks, pages and actions. */
export function SearchSheet({ opened, onClose, ...places }: SearchSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Buscar" beginsAtField middle>
      <Search onClose={onClose} {...places} />
    </Sheet>
  );
}

const TYPING_PAUSE_MS = 150;

/** Opens WhatsApp with a student who has a number; two students may share one. */
const conversation = (id: string, name: string, phone: string | null) =>
  phone === null
    ? undefined
    : { id: `${whatsAppAddress(phone)}#${id}`, label: `WhatsApp de ${name}`, icon: 'chat' as const };

function Search({ onClose, takeEarly, inAgenda, pages, actions }: Omit<SearchSheetProps, 'opened'>) {
  const zone = useZone();
  const today = useToday();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const [q] = useDebouncedValue(wanted, TYPING_PAUSE_MS);
  const { data, error, isFetching } = useSearch(q);
  const found = wanted.length > 1 ? data : undefined;
  const isComing = isFetching || (wanted.length > 1 && q !== wanted);

  const matching = (places: readonly Destination[]): PaletteItem[] =>
    (inAgenda ? [] : places)
      .filter(({ label }) => searchable(label).includes(searchable(wanted)))
      .map(({ to, label, icon }) => ({ id: to, title: label, lead: <Icon name={icon} /> }));

  return (
    <Palette
      label={inAgenda ? 'Buscar sessões e tarefas' : 'Buscar alunos, sessões, tarefas, páginas e ações'}
      value={typed}
      onChange={setTyped}
      onFocus={() => {
        const early = takeEarly();
        if (early) setTyped((text) => text + early);
      }}
      onClose={onClose}
      onChoose={(to) => {
        if (to.startsWith('https:')) openWhatsApp(to.split('#')[0]!);
        else void navigate(to, { replace: true });
      }}
      groups={[
        {
          label: 'Alunos',
          items: (inAgenda ? [] : (found?.alunos ?? [])).map(
            ({ id, nome, telefone, whatsapp, arquivado }) => ({
              id: `/alunos/${id}`,
              title: nome,
              lead: <Initials id={id} name={nome} />,
              also: conversation(id, nome, whatsapp ?? telefone),
              facts: [arquivado && 'Inativo', telefone && formatPhone(telefone)].filter(Boolean).join(' · '),
            }),
          ),
        },
        {
          label: 'Sessões',
          items: (found?.sessoes ?? []).map(({ id, student_nome, location_nome, inicio, status }) => ({
            id: `/agenda?${new URLSearchParams({ dia: dayOf(inicio, zone), sessao: id }).toString()}`,
            title: student_nome,
            lead: <Icon name="calendar" />,
            facts: [status === 'cancelada' && 'Cancelada', formatMoment(inicio, zone), location_nome]
              .filter(Boolean)
              .join(' · '),
          })),
        },
        {
          label: 'Tarefas',
          items: (found?.tarefas ?? []).map(({ id, titulo, data_vencimento, hora, concluida }) => ({
            id: `/agenda?${new URLSearchParams({ ver: 'tarefas', tarefa: id }).toString()}`,
            title: titulo,
            lead: <Icon name={concluida ? 'check' : 'circle'} />,
            facts: [
              concluida && 'Concluída',
              data_vencimento && formatDay(data_vencimento, today),
              hora && formatTime(hora),
            ]
              .filter(Boolean)
              .join(' · '),
          })),
        },
        { label: 'Ações', items: matching(actions) },
        { label: 'Páginas', items: matching(pages) },
      ]}
      empty={
        !isComing &&
        !(inAgenda && wanted === '') && (
          <Notice
            icon="search"
            title={
              error
                ? messageOf(error)
                : wanted.length === 1
                  ? 'Digite mais uma letra'
                  : 'Nenhum resultado encontrado'
            }
          />
        )
      }
    />
  );
}
