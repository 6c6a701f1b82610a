import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import { Icon } from './icon.js';
import classes from './theme.module.css';

const indigo: MantineColorsTuple = [
  '#eef0ff',
  '#dde1ff',
  '#bcc3ff',
  '#98a2ff',
  '#7f8aff',
  '#6571ff',
  '#4f5dff',
  '#3f4ce0',
  '#343fba',
  '#282f8c',
];

const red: MantineColorsTuple = [
  '#fff0ee',
  '#fde4e1',
  '#fbc4be',
  '#ff9b92',
  '#f7786d',
  '#de4a3f',
  '#b3261e',
  '#962018',
  '#7a1a14',
  '#5e1410',
];

/** Near-black with a blue tint: text, muted text, borders and surfaces of the dark scheme. */
const dark: MantineColorsTuple = [
  '#e9ebf4',
  '#ccd0df',
  '#a4aac0',
  '#888fa8',
  '#3a4055',
  '#2a2f40',
  '#1a1d29',
  '#10121a',
  '#0b0d13',
  '#07080c',
];

const gray: MantineColorsTuple = [
  '#f5f6fb',
  '#eceef6',
  '#e0e3ee',
  '#cdd1e0',
  '#a9afc3',
  '#858ca3',
  '#5a6178',
  '#434a60',
  '#2b3044',
  '#161928',
];

/** Maps colours of Mantine to our pairs of text and background colours. */
const softNames: Partial<Record<string, string>> = { indigo: 'accent', red: 'bad' };

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 3 },
  colors: { indigo, red, dark, gray },
  /** Text on filled colours is white in the light scheme, and near-black in the dark one, where fills are pale. */
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    if (input.variant === 'filled') return { ...resolved, color: 'var(--rende-on-filled)' };
    const name = softNames[input.color ?? 'indigo'];
    if ((input.variant !== 'light' && input.variant !== 'subtle') || !name) return resolved;
    const soft = `var(--rende-${name}-soft)`;
    return {
      ...resolved,
      background: input.variant === 'light' ? soft : 'transparent',
      hover: soft,
      color: `var(--rende-${name})`,
    };
  },
  black: '#161928',
  fontFamily: 'var(--rende-font)',
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '1.0625rem', lg: '1.25rem', xl: '1.75rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.35', xl: '1.2' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '6px', sm: '8px', md: '12px', lg: '16px', xl: '20px' },
  breakpoints: { xs: '30em', sm: '48em', md: '64em', lg: '80em', xl: '96em' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Plain objects, because `Component.extend` would include every component in the entry.
  components: {
    Checkbox: { classNames: { body: classes.checkboxBody, label: classes.checkboxLabel } },
    Radio: { classNames: { radio: classes.radio } },
    Skeleton: { classNames: { root: classes.skeleton } },
    Tabs: { classNames: { tab: classes.tab } },
    Button: {
      defaultProps: { size: 'md' },
      classNames: { root: classes.button, label: classes.buttonLabel },
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray' },
      classNames: { root: classes.actionIcon },
    },
    Input: {
      defaultProps: { size: 'md' },
      classNames: { wrapper: classes.inputWrapper, input: classes.input },
    },
    Menu: {
      // Rendered in place, not in a portal, and only with its entries, for screen readers.
      defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false },
      classNames: { dropdown: classes.menu, item: classes.menuItem },
    },
    PasswordInput: {
      defaultProps: { visibilityToggleFocusable: true },
      classNames: { visibilityToggle: classes.visibilityToggle },
    },
    NativeSelect: { defaultProps: { rightSection: <Icon name="down" size={18} /> } },
    SegmentedControl: {
      defaultProps: { withItemsBorders: false },
      classNames: {
        root: classes.segments,
        control: classes.segmentControl,
        label: classes.segment,
        indicator: classes.segmentIndicator,
      },
    },
    InputWrapper: {
      defaultProps: {
        size: 'md',
        withAsterisk: false,
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      },
      classNames: {
        label: classes.label,
        error: classes.error,
        required: classes.required,
        description: classes.description,
      },
    },
  },
});

/** Background colour of the page. `tokens.css` and `index.html` contain the same value. */
export const pageColors = { light: gray[0], dark: dark[7] } as const;

/** Colours of Mantine in both schemes; our own are in `tokens.css`. Text on each reaches 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': pageColors.light,
    '--mantine-color-text': '#161928',
    '--mantine-color-dimmed': '#565d74',
    '--mantine-color-placeholder': '#6a7189',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#3f4ce0',
  },
  dark: {
    '--mantine-color-body': pageColors.dark,
    '--mantine-color-text': '#e9ebf4',
    '--mantine-color-dimmed': '#a4aac0',
    '--mantine-color-placeholder': '#888fa8',
    '--mantine-color-error': '#ff9b92',
    '--mantine-color-disabled': '#2a2f40',
    '--mantine-color-disabled-color': '#888fa8',
    '--mantine-color-anchor': '#98a2ff',
  },
});

const STORAGE_KEY = 'theme';

type Listener = (event: StorageEvent) => void;
let listener: Listener | null = null;

/**
 * Stores `light`, `dark` or `system` under the key `theme` (spec 1, section 9); Mantine's word for system is `auto`.
 */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (fallback) => {
    const stored = readTheme();
    return stored === null ? fallback : stored === 'system' ? 'auto' : stored;
  },
  set: (value) => localStorage.setItem(STORAGE_KEY, value === 'auto' ? 'system' : value),
  subscribe: (onUpdate) => {
    listener = (event) => {
      if (event.key === STORAGE_KEY)
        onUpdate(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'auto');
    };
    window.addEventListener('storage', listener);
  },
  unsubscribe: () => {
    if (listener) window.removeEventListener('storage', listener);
  },
  clear: () => localStorage.removeItem(STORAGE_KEY),
};

function readTheme(): 'light' | 'dark' | 'system' | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' || stored === 'system' ? stored : null;
  } catch {
    return null;
  }
}
