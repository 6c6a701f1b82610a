import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { useEffect, useRef, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import classes from './student-page.module.css';

const titles = {
  sessoes: 'Sessões',
  extrato: 'Extrato',
  pagamentos: 'Pagamentos',
  contratos: 'Contratos',
  anotacoes: 'Anotações',
  historico: 'Histórico',
};
export type StudentTab = keyof typeof titles;

const isTab = (named: string | null): named is StudentTab => named !== null && Object.hasOwn(titles, named);

/** The tabs of a student's page; the address holds the open one. */
export function StudentTabs({ children }: { children: (tab: StudentTab) => ReactNode }) {
  const [address, setAddress] = useSearchParams();
  const named = address.get('aba');
  const chosen = isTab(named) ? named : 'sessoes';
  const list = useRef<HTMLDivElement>(null);
  const isTapped = useRef(false);
  // Scrolls to the open tab, since on the phone the tabs are wider than the screen; after a tap also up to what it shows. A page
  // that opens with the first tab begins at its top.
  useEffect(() => {
    const tab = list.current?.querySelector('[data-active]');
    if (!isTapped.current && chosen === 'sessoes') return;
    tab?.scrollIntoView({ block: isTapped.current ? 'start' : 'nearest', inline: 'center' });
  }, [chosen]);
  const choose = (tab: string | null) => {
    isTapped.current = true;
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (tab === null || tab === 'sessoes') next.delete('aba');
        else next.set('aba', tab);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <Tabs
      value={chosen}
      onChange={choose}
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab, panel: classes.panel }}
    >
      <Tabs.List ref={list}>
        {Object.entries(titles).map(([tab, title]) => (
          <Tabs.Tab key={tab} value={tab}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.keys(titles).map((tab) => (
        <Tabs.Panel key={tab} value={tab}>
          {tab === chosen && children(chosen)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
