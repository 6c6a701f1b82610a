import { colorSchemeManager } from '../ui/theme.js';
import './print.css';

/** Prints in the light colours, also from the dark theme. */
export function printLight(): void {
  const printing = window.matchMedia('print');
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const system = () => (dark.matches ? 'dark' : 'light');
  printing.addEventListener('change', () => {
    const theme = colorSchemeManager.get('auto');
    // Not what was shown before: for paper, some browsers prefer light, which a theme that follows the system has shown by now.
    document.documentElement.dataset.mantineColorScheme = printing.matches
      ? 'light'
      : theme === 'auto'
        ? system()
        : theme;
  });
}
