import { render } from 'hono/jsx/dom'
import { SlipApp } from './SlipApp.tsx'

const root = document.getElementById('page')
if (root) render(<SlipApp />, root)
