// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {WETH} from "solady/src/tokens/WETH.sol";

/// @title Wrapped BNB on chains without real money
/// @notice The interface of WBNB: deposit, withdraw and ERC-20.
contract TestWrappedCoin is WETH {
    function name() public pure override returns (string memory) {
        return "Wrapped BNB";
    }

    function symbol() public pure override returns (string memory) {
        return "WBNB";
    }
}
