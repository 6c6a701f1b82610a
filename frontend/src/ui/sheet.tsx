import { Button, Drawer } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import {
  createContext,
  Fragment,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { BodyForm } from '../lib/form.js';
import { FormStack, type SubmitOptions, submitting } from './form.js';
import { Said } from './said.js';
import classes from './sheet.module.css';

interface SheetProps {
  opened: boolean;
  onClose: () => void;
  /** What it is titled until a `SheetTitle` in it says more. */
  title: string;
  /**
   * Focuses the field with `data-autofocus` instead of the title. `typed`: focuses the first text field, but only on
   * devices with a keyboard: on a phone, the screen keyboard would cover the rest.
   */
  beginsAtField?: boolean | 'typed';
  /** In the middle of a wide screen; for short forms. */
  middle?: boolean;
  /** The open sheet is not in the address; "back" still closes it and stays on the page. */
  withoutAddress?: boolean;
  children: ReactNode;
}

/** Mantine moves the focus out of a closing sheet after this time. */
const CLOSING_MS = 10;

/** The control that opened a sheet; if it was an entry of a menu, which is gone by then, the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menu ? document.getElementById(menu) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/**
 * Returns the focus to the control that opened the sheet, or to the page's title if that is gone. Mantine does not know
 * the control of a sheet that was open from the start.
 */
function useWayBack(opened: boolean) {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const opener = openerOf(document.activeElement);
    return () => {
      const left = document.activeElement;
      setTimeout(() => {
        const { activeElement } = document;
        // The next page or another sheet has already taken the focus.
        if (activeElement !== document.body && activeElement !== left) return;
        const back = opener?.isConnected ? opener : document.querySelector('h1');
        back?.focus({ preventScroll: true });
      }, CLOSING_MS);
    };
  }, [opened]);
}

/** Mantine places the focus first. */
const BEGUN_MS = 20;

const TYPED = 'form :is(input:not([type=radio], [type=checkbox], :disabled), textarea, select)';

/** The title of an open sheet. It sets the initial focus, and sets it again when the sheet shows something else. */
function Words({ title, beginsAtField }: Pick<SheetProps, 'title' | 'beginsAtField'>) {
  const words = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const hasKeys = beginsAtField === 'typed' && window.matchMedia('(pointer: fine)').matches;
    // A form that is still loading appears later.
    const later = new MutationObserver(() => begin());
    const begin = () => {
      const { activeElement } = document;
      const sheet = words.current?.closest('[role=dialog]');
      const field = hasKeys ? sheet?.querySelector<HTMLElement>(TYPED) : null;
      // The focus may already be where it should be.
      const isOpen = activeElement === words.current || activeElement === document.body;
      if (field || !hasKeys || !isOpen) later.disconnect();
      else if (sheet) later.observe(sheet, { childList: true, subtree: true });
      if (isOpen) (field ?? words.current)?.focus({ preventScroll: true });
    };
    const timer = setTimeout(begin, BEGUN_MS);
    return () => {
      clearTimeout(timer);
      later.disconnect();
    };
  }, [title, beginsAtField]);
  return (
    <span
      ref={words}
      className={classes.words}
      tabIndex={-1}
      data-autofocus={beginsAtField !== true || undefined}
    >
      {title.split(' · ').map((part, at, { length }) => (
        <Fragment key={part}>
          {at > 0 && ' '}
          <span>{at < length - 1 ? `${part} ·` : part}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** An entry of the browser's history while the sheet is open, so that "back" closes it. */
function useOwnEntry(opened: boolean, onClose: () => void) {
  const id = useId();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!opened) return undefined;
    const isOurs = () => (window.history.state as { sheet?: string } | null)?.sheet === id;
    // Keeps the router's state, since nothing changes for the router.
    if (!isOurs()) window.history.pushState({ ...window.history.state, sheet: id }, '');
    const leave = () => {
      if (!isOurs()) close();
    };
    window.addEventListener('popstate', leave);
    return () => {
      window.removeEventListener('popstate', leave);
      // After the effects of what comes instead: if that navigates, the entry is not the current one any more.
      queueMicrotask(() => {
        if (isOurs()) window.history.back();
      });
    };
  }, [opened, id]);
}

const SetTitle = createContext<(title: string | null) => void>(() => undefined);

/** Titles the sheet around it by what it shows, once that is loaded. */
export function SheetTitle({ of: title }: { of: string }) {
  const set = useContext(SetTitle);
  useLayoutEffect(() => {
    set(title);
    return () => set(null);
  }, [set, title]);
  return null;
}

const places = {
  bottom: { position: 'bottom', size: 'auto', transition: 'slide-up' },
  right: { position: 'right', size: 460, transition: 'slide-left' },
  middle: { position: 'top', size: 'auto', transition: 'fade-down' },
} as const;

/** A form or a detail over the page: from the bottom on the phone, from the right or in the middle where there is room. */
export function Sheet({
  opened,
  onClose,
  title,
  beginsAtField = false,
  middle = false,
  withoutAddress = false,
  children,
}: SheetProps) {
  const [known, setKnown] = useState<string | null>(null);
  useWayBack(opened);
  useOwnEntry(opened && withoutAddress, onClose);
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  const side = wide ? (middle ? 'middle' : 'right') : 'bottom';
  const { position, size, transition } = places[side];
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      position={position}
      size={size}
      classNames={{
        inner: classes.inner,
        content: classes.content,
        header: classes.header,
        title: classes.title,
        body: classes.body,
        overlay: classes.overlay,
      }}
      data-side={side}
      data-opened={opened || undefined}
      transitionProps={{ duration: 180, transition }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>
            <Words title={known ?? title} beginsAtField={beginsAtField} />
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Fechar" size={44} iconSize={22} />
          <Said opened={opened} />
        </Drawer.Header>
        <Drawer.Body>
          <SetTitle value={setKnown}>{children}</SetTitle>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface SheetActionsProps {
  /** Leads back to what the sheet showed before. */
  onBack?: () => void;
  children?: ReactNode;
}

/** The buttons of a sheet, always visible at its end. */
export function SheetActions({ onBack, children }: SheetActionsProps) {
  return (
    <div className={classes.actions} data-on-screen>
      {onBack && (
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
      )}
      {children}
    </div>
  );
}

interface SheetFormProps<Values, Body> extends SubmitOptions<Body> {
  form: BodyForm<Values, Body>;
  onBack?: (() => void) | undefined;
  /** What the button says that sends it. */
  submit: string;
  children: ReactNode;
}

/** A form with its button at the end of a sheet. */
export function SheetForm<Values, Body>(props: SheetFormProps<Values, Body>) {
  const { form, onBack, submit, children, ...sending } = props;
  return (
    <FormStack form={form} onSubmit={submitting(form, sending)}>
      {children}
      <SheetActions onBack={onBack}>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
      </SheetActions>
    </FormStack>
  );
}
