"""Start here: `streamlit run app.py`, or `uvicorn app:app`.

`streamlit run` looks for the literal call below. The router is in `pages/` because Streamlit's old page discovery
never starts if the main script is there.
"""

import streamlit as st

from debate_core.ui.server.launch import lifespan, middleware, routes, show_failure

app = st.App("pages/_router.py", lifespan=lifespan, routes=routes, middleware=middleware, on_script_error=show_failure)
