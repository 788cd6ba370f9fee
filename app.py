"""Start here: `streamlit run app.py`, or `uvicorn app:app`.

The literal call below is what `streamlit run` looks for. The router lies in `pages/` on purpose: with the main
script there, Streamlit's old page discovery never starts.
"""

import streamlit as st

from debate_core.ui.server.launch import lifespan, middleware, routes, show_failure

app = st.App("pages/_router.py", lifespan=lifespan, routes=routes, middleware=middleware, on_script_error=show_failure)
